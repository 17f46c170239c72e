/* Figures of mdbook-cute answer to the hand: other labels, picked threads and tiles, zoom, copies,
   files. Everything can be read without this script. It finds a cell by its row and column, and looks
   up what it cannot derive in the data- attributes that src/draw/svg/data.rs writes. */
(() => {
"use strict";
const SVG = "http://www.w3.org/2000/svg";
const make = (tag, attributes, ...kids) => {
  const svg = /^(svg|g|path|text|rect|title)$/.test(tag);
  const node = svg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") on(node, name, value);
    else node.setAttribute(name, value);
  }
  node.append(...kids);
  return node;
};

const one = (node, selector) => node.querySelector(selector);
const all = (node, selector) => [...node.querySelectorAll(selector)];
const on = (node, event, answer) => node.addEventListener(event, answer);

/* Labels of cells, row by row. */
const runs = text => text.split(" ").flatMap(run => {
  const [first, count = 1, step = 0] = run.split(":").map(Number);
  return Array.from({ length: count }, (_, at) => first + at * step);
});
const decode = text => {
  const rest = text.slice(1);
  if (text[0] === "s") {
    const out = [""];
    for (let at = 0; at < rest.length; at++) {
      if (rest[at] === "|") out.push("");
      else out[out.length - 1] += rest[at] === "\\" ? rest[++at] : rest[at];
    }
    return out;
  }
  const [a, b] = rest.split(";").map(runs);
  const write = {
    i: at => "" + a[at], t: at => "T" + a[at], v: at => "V" + a[at], a: at => a[at] + "→" + b[at],
    c: at => `(${a[at]},${b[at]})`, o: at => `T${a[at]} V${b[at]}`,
  }[text[0]];
  return a.map((_, at) => write(at));
};

/* Words that mdBook does not index stand in script elements; with this script they are text as any. */
const prose = text => text.split(/`([^`]*)`/).map((part, at) => at % 2 ? make("code", {}, part) : part);
const speak = () => all(document, "[type^=text][class^=cute]").forEach(script => {
  script.replaceWith(make("span", { class: script.className }, ...prose(script.textContent)));
});

/* Makes a table of lines: `label: value`, and rows of cells behind bars. */
const tabulate = details => {
  const script = one(details, "script");
  if (!script) return;
  const body = make("tbody"), box = make("div", { class: "cute-table" });
  let rows;
  for (const line of script.textContent.split("\t")) {
    if (line[0] === "|") {
      const row = tag => make("tr", {}, ...line.split("|").slice(1).map(cell => make(tag, {}, ...prose(cell.trim()))));
      if (rows) rows.append(row("td"));
      else (body.lastChild?.lastChild || box).append(make("table", {}, make("thead", {}, row("th")), rows = make("tbody")));
    } else {
      rows = null;
      const [label, ...value] = line.split(": ");
      body.append(make("tr", {}, make("th", { scope: "row" }, label), make("td", {}, value.join(": "))));
    }
  }
  if (body.firstChild) box.append(make("table", {}, body));
  script.replaceWith(box);
};

class Grid {
  constructor(node) {
    this.node = node;
    this.panel = node.closest(".cute-panel");
    [this.x, this.y, this.w, this.h, this.rows, this.cols] = node.dataset.grid.split(" ").map(Number);
    this.layers = {};
    for (const { name, value } of node.attributes) {
      if (!name.startsWith("data-") || name === "data-grid") continue;
      if (name === "data-owners") this.owner = decode(value).map(Number);
      else this.layers[name.slice(5)] = decode(value);
    }
    this.first = Object.keys(this.layers)[0];
    this.fills = all(node, ":scope>path").filter(path => /--cute-[rc]\d/.test(path.getAttribute("fill")));
    this.scale = /--cute-r/.test(this.fills[0]?.getAttribute("fill")) ? "r" : "c";
    node.classList.toggle("cute-on-c", this.scale === "c" && this.fills.length > 0);
    // What the others say follows from row and column where the panel is one grid.
    if (all(this.panel, ".cute-grid").length === 1) {
      const each = of => Array.from({ length: this.rows * this.cols }, (_, at) =>
        of(Math.floor(at / this.cols), at % this.cols));
      this.layers.index ||= each((row, col) => "" + (row + this.rows * col));
      this.layers.coord ||= each((row, col) => `(${row},${col})`);
    }
  }
  at(event) {
    const svg = this.node.ownerSVGElement;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const row = Math.floor((point.y - this.y) / this.h), col = Math.floor((point.x - this.x) / this.w);
    return row >= 0 && col >= 0 && row < this.rows && col < this.cols ? row * this.cols + col : -1;
  }
  /* One path over all cells for which `holds`; cells side by side become one piece. */
  path(holds) {
    let d = "";
    for (let row = 0; row < this.rows; row++) {
      for (let col = 0; col < this.cols; col++) {
        const from = col;
        while (col < this.cols && holds(row * this.cols + col)) col++;
        if (col > from) {
          d += `M${this.x + from * this.w} ${this.y + row * this.h}h${(col - from) * this.w}v${this.h}h${(from - col) * this.w}z`;
        }
      }
    }
    return d;
  }
  /* The stroke of the labels on coloured cells and on the page. */
  inks() {
    const coloured = at => {
      const point = new DOMPoint(this.x + (at % this.cols + .5) * this.w, this.y + (Math.floor(at / this.cols) + .5) * this.h);
      return this.fills.some(path => path.isPointInFill(point));
    };
    return at => coloured(at) ? `var(--cute-ink-${this.scale},#14171a)` : "currentColor";
  }
  show(name) {
    const own = all(this.node, ".cute-labels,foreignObject");
    one(this.node, ".cute-other")?.remove();
    const labels = name !== this.first && this.layers[name];
    for (const node of own) node.style.display = labels ? "none" : "";
    if (!labels || !own[0]) return;
    const ink = this.inks();
    const lines = labels.map(label => label.split(" "));
    const longest = Math.max(1, ...lines.flat().map(line => line.length));
    const most = Math.max(1, ...lines.map(line => line.length));
    const size = Math.min(11, (this.w - 3) / longest / .6, (this.h - 2) / most);
    const out = make("g", { class: "cute-other", "font-size": size.toFixed(2) });
    lines.forEach((parts, at) => parts.forEach((part, line) => {
      if (!part) return;
      const x = this.x + (at % this.cols + .5) * this.w;
      const y = this.y + (Math.floor(at / this.cols) + .5) * this.h + (line - (parts.length - 1) / 2) * size;
      out.append(make("text", { x, y: (y + size * .35).toFixed(2), fill: ink(at) }, part));
    }));
    own[0].after(out);
  }
  mark(layer, holds) {
    one(this.node, ":scope>." + layer)?.remove();
    const d = holds && this.path(holds);
    if (d) this.node.append(make("path", { class: layer, d }));
  }
  say(at) {
    const parts = Object.entries(this.layers).map(([name, labels]) => `${name} ${labels[at]}`);
    return `row ${Math.floor(at / this.cols)}, column ${at % this.cols}: ` + parts.join(", ");
  }
}

/* A figure with its tools. */
class Figure {
  constructor(node) {
    this.node = node;
    node.cute = this;
    this.zoom = 1;
    this.status = make("div", { class: "cute-status", role: "status" });
    all(node, ".cute-view").forEach((view, number) => this.listen(view, number));
    node.prepend(this.bar());
    const panels = one(node, ".cute-panels");
    if (panels) panels.after(this.status);
    for (const details of all(node, ".cute-facts")) {
      on(details, "toggle", () => tabulate(details));
      if (details.open) tabulate(details);
    }
  }
  get grids() {
    return this.cells ||= all(this.node, ".cute-grid").map(grid => new Grid(grid));
  }
  bar() {
    const button = (text, label, click) => make("button", { type: "button", title: label, "aria-label": label, click }, text);
    const bar = make("div", { class: "cute-bar", role: "toolbar", "aria-label": "tools of the figure" });
    if (one(this.node, ".cute-grid")) {
      const select = this.select = make("select", { "aria-label": "labels of the cells", change: () => this.show(select.value) });
      // Reading the labels of a large page takes a while: only of the figure somebody turns to.
      const fill = () => {
        if (select.options.length > 1) return;
        const value = select.value;
        const names = new Set(this.grids.flatMap(grid => Object.keys(grid.layers)));
        select.replaceChildren(...[...names].map(name => make("option", {}, name)));
        if (value) select.value = value;
      };
      const first = [...one(this.node, ".cute-grid").attributes].find(({ name }) => /^data-(?!grid$|owners$)/.test(name));
      if (first) select.append(make("option", {}, first.name.slice(5)));
      for (const event of ["focus", "pointerenter"]) on(select, event, fill);
      bar.append(select);
    }
    if (one(this.node, "svg")) {
      bar.append(
        this.zoomer = button("zoom", "zoom to full size", () => this.setZoom(this.zoomed ? 0 : 1)),
        this.less = button("−", "smaller", () => this.setZoom(this.zoom / 1.25)),
        this.more = button("+", "larger", () => this.setZoom(this.zoom * 1.25)),
        this.filler = button("full screen", "full screen", () => this.fullScreen()),
      );
      this.zoomer.setAttribute("aria-pressed", "false");
    }
    const menu = make("details", { class: "cute-menu" }, make("summary", {}, "copy, save"));
    const list = make("div", {});
    const item = (text, click) => list.append(make("button", { type: "button", click: async () => {
      const said = await click();
      this.status.textContent = said || text.replace("copy", "copied");
      menu.open = false;
      menu.firstChild.focus();
    } }, text));
    if (this.link) item("copy link", () => copy(this.address()));
    if (this.node.dataset.source) item("copy block", () => copy(this.node.dataset.source + "\n"));
    for (const head of all(this.node, ".cute-head")) {
      const layout = one(head, ".cute-mono");
      const name = one(head, ".cute-name")?.textContent;
      if (layout) item("copy layout" + (name ? " of " + name : ""), () => copy(layout.textContent));
    }
    const facts = one(this.node, ".cute-facts script")?.textContent.split("\t") || [];
    for (const [label, name] of [["CuTe C++: ", "C++"], ["CuTe DSL: ", "Python"]]) {
      const fact = facts.find(line => line.startsWith(label));
      if (fact) item("copy " + name, () => copy(fact.slice(label.length)));
    }
    if (one(this.node, "svg")) {
      item("save SVG", () => this.save("svg"));
      item("save PNG", () => this.save("png"));
    }
    menu.append(list);
    on(menu, "keydown", event => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      menu.firstChild.focus();
      event.stopPropagation();
      event.preventDefault();
    });
    if (list.childElementCount) bar.append(menu);
    return bar;
  }
  get link() { return one(this.node, "figcaption>.cute-link"); }
  address() {
    const url = new URL(this.link.href);
    url.search = this.picked === undefined ? "" : "?t=" + this.picked;
    return url.href;
  }
  show(name) {
    this.grids.forEach(grid => grid.show(name));
    // Labels of single cells can be read only at full size there.
    if (one(this.node, ".cute-coarse") && name !== this.grids[0].first) this.setZoom(1);
  }
  get zoomed() { return this.node.classList.contains("cute-zoomed"); }
  setZoom(factor) {
    this.zoom = Math.min(6, Math.max(.4, factor || 1));
    this.node.classList.toggle("cute-zoomed", factor > 0);
    this.node.style.setProperty("--cute-k", this.zoom);
    this.zoomer.setAttribute("aria-pressed", factor > 0);
    const box = one(this.node, ".cute-zoom input");
    if (box) box.checked = factor > 0;
  }
  /* The figure alone, above the page; Escape brings it back. */
  fullScreen() {
    if (this.dialog) return this.dialog.close();
    const place = document.createComment("");
    const dialog = this.dialog = make("dialog", { class: "cute-dialog", "aria-label": "figure, full screen" });
    const leave = () => { if (!document.fullscreenElement) dialog.close(); };
    // Of two layers, dialog and full screen, Escape alone would take one.
    on(dialog, "keydown", event => { if (event.key === "Escape") dialog.close(); });
    on(dialog, "close", () => {
      document.removeEventListener("fullscreenchange", leave);
      if (document.fullscreenElement) document.exitFullscreen();
      place.replaceWith(this.node);
      dialog.remove();
      this.dialog = null;
      this.setZoom(0);
      this.filler.textContent = "full screen";
      this.filler.focus({ preventScroll: true });
    });
    this.node.replaceWith(place);
    dialog.append(this.node);
    document.body.append(dialog);
    dialog.showModal();
    this.filler.textContent = "close";
    this.setZoom(1);
    this.filler.focus();
    // Where it is refused, the page's window has to do.
    document.documentElement.requestFullscreen?.().then(() => on(document, "fullscreenchange", leave), () => {});
  }
  /* Mouse, touch and keys on one picture. */
  listen(view, number) {
    const svg = one(view, "svg");
    if (!svg || !one(svg, ".cute-grid")) return;
    view.tabIndex = 0;
    view.setAttribute("role", "application");
    const name = svg.getAttribute("aria-label") || "picture";
    view.setAttribute("aria-label", `${name}: arrow keys go from cell to cell, Enter picks, Escape lets go, plus and minus zoom, F fills the screen`);
    let drag = null;
    const hit = event => {
      for (const grid of this.grids) {
        const at = grid.node.ownerSVGElement === svg ? grid.at(event) : -1;
        if (at >= 0) return [grid, at];
      }
      return null;
    };
    on(view, "pointermove", event => {
      if (drag) {
        view.scrollLeft = drag.left - (event.clientX - drag.x);
        drag.scroller.scrollTop = drag.top - (event.clientY - drag.y);
        drag.far ||= Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 4;
        return;
      }
      this.light(hit(event));
    });
    on(view, "pointerleave", () => this.light(null));
    on(view, "pointerdown", event => {
      if (event.button || event.pointerType !== "mouse") return;
      const scroller = this.dialog || document.scrollingElement;
      drag = { x: event.clientX, y: event.clientY, left: view.scrollLeft, top: scroller.scrollTop, scroller };
      if (!this.zoomed) drag.scroller = {};
    });
    addEventListener("pointerup", () => setTimeout(() => { drag = null; }));
    on(view, "click", event => {
      const found = drag?.far ? null : hit(event);
      if (found) this.pick(...found);
    });
    on(view, "blur", () => this.light(null));
    on(view, "keydown", event => this.key(event, svg));
  }
  key(event, svg) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const grids = this.grids.filter(grid => grid.node.ownerSVGElement === svg);
    let [grid, at] = this.cursor && grids.includes(this.cursor[0]) ? this.cursor : [grids[0], -1];
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (step && at < 0) at = 0;
    else if (step) {
      const row = Math.floor(at / grid.cols) + step[0], col = at % grid.cols + step[1];
      if (row >= 0 && row < grid.rows && col >= 0 && col < grid.cols) at = row * grid.cols + col;
      // Past the edge of a slice comes the next one.
      else if (grids.length > 1) [grid, at] = [grids[(grids.indexOf(grid) + step[0] + step[1] + grids.length) % grids.length], 0];
    }
    if (step) {
      this.cursor = [grid, at];
      this.light(this.cursor);
      const box = one(grid.node, ".cute-cursor") || grid.node;
      box.scrollIntoView({ block: "nearest", inline: "nearest" });
    } else if ((event.key === "Enter" || event.key === " ") && at >= 0) this.pick(grid, at);
    else if (event.key === "Escape" && this.picked !== undefined) this.pick();
    else if (event.key === "+" || event.key === "=") this.setZoom(this.zoomed ? this.zoom * 1.25 : 1);
    else if (event.key === "-") this.setZoom(this.zoom / 1.25);
    else if (event.key === "0") this.setZoom(0);
    else if (event.key === "f" || event.key === "F") this.fullScreen();
    else return;
    event.preventDefault();
    // mdBook turns pages with arrow keys.
    event.stopPropagation();
  }
  /* Returns which cells of a grid are the same element, or belong to the same owner. */
  same(grid, at) {
    const owner = grid.owner && grid.owner[at];
    if (owner >= 0) return other => other.owner && (cell => other.owner[cell] === owner);
    const value = grid.layers[grid.first]?.[at];
    return other => cell => other.layers[other.first]?.[cell] === value;
  }
  light(found) {
    const key = found && found[0].node + found[1];
    if (!found && !this.lit) return;
    this.lit = key;
    const same = found && this.same(...found);
    for (const grid of this.grids) {
      grid.mark("cute-lit", same && same(grid));
      grid.mark("cute-cursor", found && grid === found[0] && (cell => cell === found[1]));
    }
    if (found) {
      const owner = found[0].owner?.[found[1]];
      this.status.textContent = found[0].say(found[1]) + (owner >= 0 ? `, owner ${owner}` : "");
    }
  }
  /* Cells of everybody else fade; picking the same again, or nothing, brings them back. */
  pick(grid, at) {
    const owner = grid?.owner?.[at];
    const name = grid && (owner >= 0 ? owner : `${this.grids.indexOf(grid)}.${at}`);
    const same = grid && name !== this.picked && this.same(grid, at);
    this.picked = same ? name : undefined;
    this.veil(same);
  }
  veil(same) {
    for (const grid of this.grids) {
      const holds = same && same(grid);
      grid.mark("cute-veil", same && (cell => !holds || !holds(cell)));
      grid.mark("cute-pin", holds);
    }
  }
  /* `?t=5`, `?t=0,4`: threads or tiles; `?t=0.17`: a cell of the first grid. */
  focus(text) {
    if (/^\d+\.\d+$/.test(text)) {
      const [grid, at] = text.split(".").map(Number);
      if (this.grids[grid] && at < this.grids[grid].rows * this.grids[grid].cols) this.pick(this.grids[grid], at);
      return;
    }
    const owners = new Set(text.split(",").map(Number));
    if (!this.grids.some(grid => grid.owner?.some(owner => owners.has(owner)))) return;
    this.picked = text;
    this.veil(grid => grid.owner && (cell => owners.has(grid.owner[cell])));
  }
  async save(form) {
    const svg = this.drawing();
    const name = this.node.id || this.node.dataset.kind || "figure";
    if (form === "svg") {
      download(new Blob([svg], { type: "image/svg+xml" }), name + ".svg");
    } else {
      const image = new Image();
      image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);
      await image.decode();
      const canvas = make("canvas", { width: image.width * 2, height: image.height * 2 });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      download(await new Promise(done => canvas.toBlob(done)), name + ".png");
    }
    return `saved ${name}.${form}`;
  }
  /* The figure as one picture that needs no page: laid out at full size, out of sight, colours as they
     are now, words where they stand. */
  drawing() {
    const copy = this.node.cloneNode(true);
    copy.removeAttribute("id");
    copy.classList.add("cute-zoomed");
    copy.classList.remove("cute-half");
    copy.style.setProperty("--cute-k", 1);
    all(copy, ".cute-bar,.cute-zoom,.cute-facts,.cute-status,.cute-table,.cute-link,.cute-lit,.cute-cursor").forEach(node => node.remove());
    const widest = Math.max(...all(copy, "svg").map(svg => parseFloat(svg.style.getPropertyValue("--cute-z")) || 300));
    const stage = make("div", { style: `position:absolute;left:0;top:0;visibility:hidden;width:${Math.max(720, widest + 8)}px` }, copy);
    (this.dialog || one(document, "main") || document.body).append(stage);
    copy.style.margin = "0";
    // Other programs show no HTML within a picture: rows of text become words.
    for (const rows of all(copy, "foreignObject")) {
      const text = rows.firstChild, style = getComputedStyle(text);
      const [width, count] = text.style.getPropertyValue("--p").match(/\d+/g);
      const size = parseFloat(style.fontSize), words = make("g", { fill: style.color, "font-size": size, "letter-spacing": style.letterSpacing });
      for (const [lines, shift] of [[text.dataset.even, .5], [text.dataset.odd, 1]]) {
        lines?.split("\n").forEach((line, row) => {
          for (const { 0: word, index } of line.matchAll(/\S+/g)) {
            words.append(make("text", {
              x: (rows.x.baseVal.value + parseFloat(style.paddingLeft) + (index + shift + (word.length - 1) / 2) * width / count).toFixed(2),
              y: (rows.y.baseVal.value + (row + .5) * parseFloat(style.lineHeight) + size * .35).toFixed(2),
            }, word));
          }
        });
      }
      if (getComputedStyle(rows).display !== "none") rows.after(words);
      rows.remove();
    }
    const from = copy.getBoundingClientRect();
    const out = [];
    const escape = text => text.replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);
    const place = box => `x="${(box.left - from.left + 12).toFixed(1)}" y="${(box.top - from.top + 12).toFixed(1)}"`;
    for (const node of all(copy, ".cute-legend i")) {
      const box = node.getBoundingClientRect(), style = getComputedStyle(node);
      const size = `width="${box.width.toFixed(1)}" height="${box.height.toFixed(1)}"`;
      const bands = style.backgroundImage.match(/rgba?\([^)]*\)/g) || [];
      if (node.className === "cute-scale") {
        bands.filter((band, at) => band !== bands[at - 1]).forEach((band, at, all) => {
          const width = box.width / all.length;
          out.push(`<rect ${place({ left: box.left + at * width, top: box.top })} width="${width.toFixed(1)}" height="${box.height.toFixed(1)}" fill="${band}"/>`);
        });
      }
      out.push(`<rect ${place(box)} ${size} fill="${node.className === "cute-scale" ? "none" : style.backgroundColor}" stroke="${style.borderTopColor}" stroke-width="${parseFloat(style.borderTopWidth) || 1}"/>`);
    }
    const walker = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT);
    for (let text; (text = walker.nextNode());) {
      if (text.parentNode.namespaceURI === SVG || !text.data.trim()) continue;
      const style = getComputedStyle(text.parentNode);
      const range = document.createRange();
      let line = null;
      const flush = () => line && out.push(`<text x="${(line.left - from.left + 12).toFixed(1)}" y="${(line.bottom - from.top + 12 - line.height * .25).toFixed(1)}" font-size="${parseFloat(style.fontSize)}" font-family="${escape(style.fontFamily)}" font-weight="${style.fontWeight}" fill="${style.color}" xml:space="preserve">${escape(line.text)}</text>`);
      for (let at = 0; at < text.length; at++) {
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        const box = range.getClientRects()[0];
        if (!box) continue;
        if (!line || Math.abs(box.top - line.top) > 3) {
          flush();
          line = { left: box.left, top: box.top, bottom: box.bottom, height: box.height, text: "" };
        }
        line.text += text.data[at];
      }
      flush();
    }
    for (const svg of all(copy, "svg")) {
      const box = svg.getBoundingClientRect();
      all(svg, "g,path").forEach(node => { if (getComputedStyle(node).display === "none") node.remove(); });
      for (const node of all(svg, "*")) {
        const style = getComputedStyle(node);
        // In this order: what has a fill alone has no stroke, as the style sheet says.
        for (const name of ["stroke", "fill"]) node.setAttribute(name, style[name]);
        if (/^cute-(veil|pin)/.test(node.getAttribute("class"))) {
          node.setAttribute("fill-opacity", style.fillOpacity);
          node.setAttribute("stroke-width", style.strokeWidth);
        }
      }
      for (const node of [svg, ...all(svg, "*")]) {
        for (const { name } of [...node.attributes]) if (/^(data-|class|style|role|aria-)/.test(name)) node.removeAttribute(name);
      }
      for (const [name, value] of [["x", box.left - from.left + 12], ["y", box.top - from.top + 12], ["width", box.width], ["height", box.height]]) svg.setAttribute(name, value.toFixed(1));
      svg.setAttribute("style", "font-family:ui-monospace,Menlo,Consolas,monospace;text-anchor:middle;stroke-linecap:round;stroke-linejoin:round");
      out.push(new XMLSerializer().serializeToString(svg));
    }
    const width = Math.ceil(Math.max(from.width, copy.scrollWidth) + 24), height = Math.ceil(from.height + 24);
    const ground = getComputedStyle(document.documentElement).backgroundColor;
    const paper = /, 0\)/.test(ground) ? getComputedStyle(document.body).backgroundColor : ground;
    const title = one(copy, ".cute-title")?.textContent || this.node.dataset.kind || "figure";
    stage.remove();
    return `<svg xmlns="${SVG}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><title>${escape(title)}</title><rect width="100%" height="100%" fill="${/, 0\)/.test(paper) ? "#fff" : paper}"/>${out.join("")}</svg>\n`;
  }
}

const download = (blob, name) => {
  const href = URL.createObjectURL(blob);
  make("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
};
const copy = async text => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without the permission, or from a page without encryption.
    const area = make("textarea", { style: "position:fixed;opacity:0" });
    area.value = text;
    (one(document, "dialog[open]") || document.body).append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
};

/* Old links, `?key=tv-2-...`: the gallery's first page knows all figures and their keys. */
const oldLink = () => {
  const list = one(document, "script.cute-figures");
  const key = new URLSearchParams(location.search).get("key");
  if (!list || !key) return;
  const plain = key.replace(/\\n/g, "\n").split("\n").map(line => line.replace(/\s/g, "")).filter(Boolean).join("\n");
  // Chapters may draw the same figure; the gallery's comes first.
  const same = JSON.parse(list.textContent).filter(figure => figure.key === plain);
  const found = same.find(figure => location.pathname.includes("/" + figure.page.replace(/[^/]*$/, "")) && figure.page.includes("/")) || same[0];
  if (found) {
    const root = typeof path_to_root === "string" ? path_to_root : "../"; // mdBook's
    location.replace(new URL(root + found.page + "#" + found.id, location.href));
  } else {
    one(document, "main").prepend(make("p", { class: "cute-note cute-warning", role: "alert" },
      "No figure of this book has the inputs of the link ", make("code", {}, "?key=" + key),
      ". The block that draws it: ", make("code", {}, `mdbook-cute key '?key=${key}'`)));
  }
};

const start = () => {
  speak();
  all(document, "figure.cute:not(.cute-error)").forEach(node => new Figure(node));
  oldLink();
  const turn = () => {
    const picked = new URLSearchParams(location.search).get("t");
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const figure = target && target.closest("figure.cute");
    if (picked && figure?.cute) figure.cute.focus(picked);
    // Former anchors stand inside the figure.
    if (figure && figure !== target) figure.scrollIntoView();
  };
  turn();
  addEventListener("hashchange", turn);
};
if (document.readyState === "loading") on(document, "DOMContentLoaded", start);
else start();
})();
