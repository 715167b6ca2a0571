//! Files that refer to other files: frames, inlined scenes, material libraries, handles, buffers
//! and images.

use anim_formats::anim_ir::format::Context;
use anim_formats::anim_ir::{Parsed, ResolveError, Resolver};
use anim_formats::{
    AnyDocument, AssembleOptions, Content, Format, Part, assemble, frame_files, inlined_files,
    read_images, scene_of,
};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::choice::Choices;
use crate::formats::{assert_said_well, assert_valid};
use crate::input::Record;
use crate::{assert_printable, comparison, played, settings, written};

/// The number of records that an input has at most: a file and its companion files.
pub const MOST: usize = 6;

/// Reads a file and the files that it refers to, and writes them in one format.
pub fn exercise(records: &[Record]) {
    let [main, companions @ ..] = records else { return };
    let mut choices = Choices::of((&main.bytes, companions.len()));
    let mut settings = settings();
    let Ok(parsed) = AnyDocument::parse(&main.bytes[..], main.format(), &settings) else { return };
    let document = parsed.value.into_owned();
    frame_files(&document);
    inlined_files(&document);
    let parsed = || Parsed { value: document.clone(), diagnostics: parsed.diagnostics.clone() };
    let mut files = Companions { files: companions, asked: Vec::new() };
    let mut context = Context { name: "name", files: &mut files, settings: &settings };
    let mut loaded = scene_of(parsed(), &mut context);
    assert_valid(&loaded.scene);
    assert_said_well(&loaded.document, &loaded.diagnostics);
    for lost in &read_images(&mut loaded.scene, &mut files) {
        assert_printable(&lost.message);
    }
    assert_valid(&loaded.scene);
    played::exercise(&loaded.scene);
    comparison::equals_itself(&loaded.scene);

    if choices.below(2) == 0 {
        choices.set_options(&mut settings);
    }
    let to = choices.writable();
    let mut options = AssembleOptions::new(to, settings.clone());
    options.stem = "name".to_owned();
    options.needs_scene = choices.below(2) == 0;
    let part = Part {
        name: "name".to_owned(),
        parsed: parsed(),
        files: Box::new(Companions { files: companions, asked: Vec::new() }),
        way: String::new(),
    };
    // A companion file may have errors of any kind, and is copied or referred to.
    let worst = Some(anim_formats::anim_ir::Severity::Error);
    match assemble(vec![part], &options) {
        Ok(assembled) => match assembled.content {
            Content::Scene(scene) => {
                assert_valid(&scene);
                written::exercise(&scene, to, &settings, worst);
            }
            Content::Written(Ok(output)) => written::read(output, to, worst),
            Content::Written(Err(error)) => assert_printable(&error.to_string()),
        },
        Err(error) => assert_printable(&error.to_string()),
    }
}

/// Companion files, in the order in which they are first requested. Their names do not matter.
struct Companions<'a> {
    files: &'a [Record],
    asked: Vec<String>,
}

impl Resolver for Companions<'_> {
    fn read(&mut self, address: &str) -> Result<Vec<u8>, ResolveError> {
        let known = self.asked.iter().position(|asked| asked == address);
        let number = known.unwrap_or_else(|| {
            self.asked.push(address.to_owned());
            self.asked.len() - 1
        });
        let file = self.files.get(number).ok_or(ResolveError::NotFound)?;
        Ok(if file.choice == COMPRESSED { compressed(&file.bytes) } else { file.bytes.clone() })
    }

    fn exists(&mut self, address: &str) -> bool {
        self.asked.iter().any(|asked| asked == address) || self.asked.len() < self.files.len()
    }
}

/// The first byte of records that are compressed before they are read, since the fuzzer does not
/// find valid checksums.
pub const COMPRESSED: u8 = 0xff;

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    std::io::Write::write_all(&mut encoder, bytes).expect("writing to memory");
    encoder.finish().expect("writing to memory")
}
