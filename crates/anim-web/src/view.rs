//! Makes the page that shows a file.

use anim_formats::{Format, parse_bytes};
use anim_viewer::{Failure, FileInfo, Model, PageInfo, Repairs, Request, combine, html};
use serde::Serialize;

use crate::answer::answer;
use crate::options::{Options, format_of};
use crate::session::{Session, name_of};

#[derive(Serialize)]
struct View {
    /// What the page says about its files.
    files: Vec<FileInfo>,
    /// The length of the page, in bytes.
    bytes: usize,
    /// The lengths of the models, in bytes.
    models: Vec<usize>,
}

impl Session {
    /// Makes the page that `animfmt view` makes ([`Session::html`]), and its models
    /// ([`Session::model`]).
    ///
    /// `template` is that of [`anim_viewer::template`], which is not part of the module.
    pub fn view(&mut self, path: &str, options: &str, template: &str) -> String {
        self.forget();
        let view = Options::read(options).and_then(|options| self.viewed(path, &options, template));
        answer(Some(path), view)
    }

    fn viewed(&mut self, path: &str, options: &Options, template: &str) -> Result<View, Failure> {
        let mut first = self.model_of(path, None, options)?;
        let mut repaired = None;
        if options.fix {
            let load = self.load_options(options)?;
            let (parsed, cut) = self.parse(path, &load)?;
            let repairs = Repairs::of(&parsed, cut, &load.settings);
            if first.add_unrepaired(&repairs).is_none() {
                first.info.caption = Some("before the repairs");
                let format = parsed.value.format();
                repaired = Some(self.model_of(path, Some((format, &repairs)), options)?);
            }
        }
        let models: Vec<Model> = [first].into_iter().chain(repaired).collect();
        let up = models.first().map_or("Y", |model| model.up);
        let (files, glbs): (Vec<FileInfo>, Vec<Vec<u8>>) =
            models.into_iter().map(|Model { info, glb, .. }| (info, glb)).unzip();
        let info = PageInfo { files: files.iter().collect(), watch: false, up };
        let inside = if options.models.unwrap_or(true) { glbs.as_slice() } else { &[] };
        self.page = html(template, &info, inside.iter().map(Vec::as_slice))?;
        let lengths = glbs.iter().map(Vec::len).collect();
        self.models = glbs;
        Ok(View { files, bytes: self.page.len(), models: lengths })
    }

    /// Makes the model of a file or, with repairs, of the file after them.
    fn model_of(
        &self,
        path: &str,
        repairs: Option<(Format, &Repairs)>,
        options: &Options,
    ) -> Result<Model, Failure> {
        let load = self.load_options(options)?;
        let mut parts = Vec::new();
        match repairs {
            Some((format, Repairs { changed: Some((_, after)), .. })) => {
                let parsed = parse_bytes(after.clone(), None, &load.clone().with_format(format))?;
                parts.push(self.part_of(parsed, path, path, &load));
            }
            _ => parts.push(self.part(path, path, &load)?),
        }
        for other in &options.with {
            parts.push(self.part(other, path, &load)?);
        }
        let target: Format = format_of("glb")?;
        let take = options.take.as_deref();
        let request = Request { target, with: &options.with, take, borders: true };
        let source = combine(&request, parts, &load.settings)?;
        let files: Vec<String> =
            [path.to_owned()].into_iter().chain(options.with.clone()).collect();
        let mut model = Model::of(name_of(path).to_owned(), source, &files, &load.settings)?;
        if let Some((_, repairs)) = repairs {
            model.info.caption = Some("after the repairs");
            model.info.add_repairs(repairs);
        }
        Ok(model)
    }
}
