//! A small WebDriver client: enough to open pages, press keys, click and look.
//!
//! In: what a test wants done. Out: what the browser answered. One connection per command over plain
//! TCP to a chromedriver on this machine, so no HTTP client and no OpenSSL is needed. Invariant: the
//! browser and the driver end with the [`Browser`].

#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on panics")]

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A running browser.
pub struct Browser {
    driver: Child,
    /// Kept open: a driver that nobody listens to ends.
    _output: Lines<BufReader<ChildStdout>>,
    port: u16,
    session: String,
}

impl Browser {
    /// Starts a driver and a browser whose window has this size and whose downloads go to `downloads`.
    #[must_use]
    pub fn start(width: u32, height: u32, downloads: &Path) -> Self {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed (Debian: chromium-driver)");
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| {
                line.split("started successfully on port ")
                    .nth(1)?
                    .trim_end_matches('.')
                    .parse()
                    .ok()
            })
            .expect("chromedriver says its port");
        let mut browser = Self { driver, _output: lines, port, session: String::new() };
        let options = json!({
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--hide-scrollbars", "--force-device-scale-factor=1", format!("--window-size={width},{height}"),
            ],
            "prefs": {
                "download.default_directory": downloads,
                "download.prompt_for_download": false,
            },
        });
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let answer = browser.request("POST", "/session", Some(&capabilities));
        browser.session = answer["sessionId"].as_str().expect("a session").to_owned();
        // The smallest window of a headless browser is wider than a telephone.
        browser.cdp(
            "Emulation.setDeviceMetricsOverride",
            &json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false }),
        );
        browser
    }

    fn request(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the driver listens");
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut reader = BufReader::new(stream);
        let mut length = None;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if line.trim().is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse::<usize>().ok();
            }
        }
        let mut bytes = vec![0; length.expect("the driver says how long its answer is")];
        reader.read_exact(&mut bytes).unwrap();
        let answer: Value = serde_json::from_slice(&bytes).expect("the driver answers in JSON");
        let value = answer["value"].clone();
        assert!(value.get("error").is_none(), "{method} {path}: {value:#}");
        value
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        self.request("POST", &format!("/session/{}{path}", self.session), Some(body))
    }

    /// Opens an address.
    pub fn open(&self, url: &str) {
        // A jump within the page would load nothing.
        self.post("/url", &json!({ "url": "about:blank" }));
        self.post("/url", &json!({ "url": url }));
    }

    /// Runs the body of a function in the page and returns what it returns; a promise is waited for.
    pub fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Runs an expression that must be true soon.
    ///
    /// # Panics
    /// It is still false after twenty seconds.
    pub fn wait(&self, expression: &str) {
        let start = Instant::now();
        while self.run(&format!("return !!({expression})")) != true {
            assert!(
                start.elapsed() < Duration::from_secs(20),
                "never true at {}: {expression}",
                self.run("return location.href")
            );
            sleep(Duration::from_millis(50));
        }
    }

    /// Takes a picture of the window; returns it as a PNG in base 64.
    #[must_use]
    pub fn screenshot(&self) -> String {
        let path = format!("/session/{}/screenshot", self.session);
        self.request("GET", &path, None).as_str().unwrap_or_default().to_owned()
    }

    /// Takes a picture of the rectangle that an expression gives, with four pixels for each of the page,
    /// so that it matters little which letters stand on whole ones; returns it as a PNG in base 64.
    #[must_use]
    pub fn picture_of(&self, expression: &str) -> String {
        let clip = self.run(&format!(
            "const b = {expression}; \
             return {{ x: b.x + scrollX, y: b.y + scrollY, width: b.width, height: b.height, scale: 4 }}"
        ));
        let params = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
        let answer = self.cdp("Page.captureScreenshot", &params);
        answer["data"].as_str().unwrap_or_default().to_owned()
    }

    /// Returns the share of pixels in which two pictures differ to the eye, both drawn at one size at
    /// which it makes no difference where in a pixel a line begins. Leaves the page.
    #[must_use]
    pub fn difference(&self, a: &str, b: &str) -> f64 {
        self.open("about:blank");
        let share = self.run(&format!(
            "const pixels = s => new Promise((done, fail) => {{ \
               const image = new Image(); \
               image.onerror = fail; \
               image.onload = () => {{ \
                 const canvas = document.createElement('canvas'); \
                 canvas.width = canvas.height = 160; \
                 const context = canvas.getContext('2d'); \
                 context.imageSmoothingQuality = 'high'; \
                 context.drawImage(image, 0, 0, 160, 160); \
                 done(context.getImageData(0, 0, 160, 160).data); \
               }}; \
               image.src = 'data:image/png;base64,' + s; \
             }}); \
             return Promise.all([pixels('{a}'), pixels('{b}')]).then(([a, b]) => \
               a.filter((v, i) => Math.abs(v - b[i]) > 48).length / a.length)"
        ));
        share.as_f64().expect("two pictures")
    }

    /// Calls a command of the browser's own protocol.
    pub fn cdp(&self, command: &str, params: &Value) -> Value {
        self.post("/goog/cdp/execute", &json!({ "cmd": command, "params": params }))
    }

    /// Presses keys one after the other. Names are those of WebDriver: `\u{e00c}` is Escape.
    pub fn keys(&self, keys: &str) {
        let actions: Vec<Value> = keys
            .chars()
            .flat_map(|key| {
                let key = key.to_string();
                [
                    json!({ "type": "keyDown", "value": key }),
                    json!({ "type": "keyUp", "value": key }),
                ]
            })
            .collect();
        self.post(
            "/actions",
            &json!({ "actions": [{ "type": "key", "id": "k", "actions": actions }] }),
        );
    }

    /// Clicks with the mouse on a point of the window.
    pub fn click_at(&self, x: f64, y: f64) {
        let actions = json!([
            { "type": "pointerMove", "duration": 0, "x": x.round(), "y": y.round() },
            { "type": "pointerDown", "button": 0 },
            { "type": "pointerUp", "button": 0 },
        ]);
        self.post(
            "/actions",
            &json!({ "actions": [{ "type": "pointer", "id": "m", "actions": actions }] }),
        );
    }

    /// Clicks with the mouse on the middle of an element that an expression gives.
    pub fn click(&self, expression: &str) {
        let at = self.run(&format!(
            "const e = {expression}; e.scrollIntoView({{block: 'center'}}); const b = e.getBoundingClientRect(); \
             return [b.x + b.width / 2, b.y + b.height / 2]"
        ));
        self.click_at(at[0].as_f64().unwrap(), at[1].as_f64().unwrap());
    }

    /// Returns what the console said since the last call, errors and warnings only.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.post("/se/log", &json!({ "type": "browser" }));
        let entries = log.as_array().into_iter().flatten();
        entries
            .filter(|entry| matches!(entry["level"].as_str(), Some("SEVERE" | "WARNING")))
            .map(|entry| entry["message"].as_str().unwrap_or_default().to_owned())
            .collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let end = format!("/session/{}", self.session);
        // While a test panics there may be nobody left to answer.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            self.request("DELETE", &end, None);
        }));
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
