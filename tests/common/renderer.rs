//! A renderer of any name that does nothing: what it gets is what a test looks at.

use mdbook_renderer::{RenderContext, Renderer};

pub(crate) struct Named(pub(crate) &'static str);

impl Renderer for Named {
    fn name(&self) -> &str {
        self.0
    }
    fn render(&self, _: &RenderContext) -> mdbook_renderer::errors::Result<()> {
        Ok(())
    }
}
