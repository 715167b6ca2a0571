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
    pub fn view(&mut self, path: &str, options: &str) -> String {
        self.forget();
        let view = Options::read(options).and_then(|options| self.viewed(path, &options));
        answer(Some(path), view)
    }

    fn viewed(&mut self, path: &str, options: &Options) -> Result<View, Failure> {
        let mut models = vec![self.model_of(path, false, options)?];
        if options.fix {
            let after = self.model_of(path, true, options)?;
            models.iter_mut().for_each(|model| model.info.caption = Some("before the repairs"));
            models.push(after);
        }
        let up = models.first().map_or("Y", |model| model.up);
        let (files, glbs): (Vec<FileInfo>, Vec<Vec<u8>>) =
            models.into_iter().map(|Model { info, glb, .. }| (info, glb)).unzip();
        let info = PageInfo { files: files.iter().collect(), watch: false, up };
        let inside = if options.models.unwrap_or(true) { glbs.as_slice() } else { &[] };
        self.page = html(&info, inside.iter().map(Vec::as_slice))?;
        let lengths = glbs.iter().map(Vec::len).collect();
        self.models = glbs;
        Ok(View { files, bytes: self.page.len(), models: lengths })
    }

    fn model_of(&self, path: &str, repair: bool, options: &Options) -> Result<Model, Failure> {
        let load = self.load_options(options)?;
        let mut repairs = None;
        let mut parts = Vec::new();
        if repair {
            let (mut parsed, cut) = self.parse(path, &load)?;
            let made = Repairs::of(&parsed, cut, &load.settings);
            if let Some((_, after)) = &made.changed {
                let again = load.clone().with_format(parsed.value.format());
                parsed = parse_bytes(after.clone(), None, &again)?;
            }
            repairs = Some(made);
            parts.push(self.part_of(parsed, path, path, &load));
        } else {
            parts.push(self.part(path, path, &load)?);
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
        if let Some(repairs) = repairs {
            model.info.caption = Some("after the repairs");
            model.info.add_repairs(&repairs);
        }
        Ok(model)
    }
}
