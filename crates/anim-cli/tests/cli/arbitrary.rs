//! Arbitrary commands on mutated fixtures: they neither crash nor change their inputs.

#![cfg(unix)]

use std::fs;
use std::path::Path;

use conformance::mutations::mutate;
use test_oracle::fixtures;
use test_oracle::random::Rng;
use walkdir::WalkDir;

use crate::program::Folder;

/// Larger fixtures are left out.
const SMALL: usize = 16 << 10;

/// The commands that write no input, each with its number of inputs and its options. `FORMAT`,
/// `NAME` and `FILE` are replaced.
const COMMANDS: [(&str, usize, &str); 10] = [
    ("info", 3, "-1|--all|-v"),
    ("check", 3, "--strict|--all|--explain|--fix --dry-run|--format github|--ignore NAME"),
    ("fmt --check", 3, "-v"),
    ("fmt --stdout", 1, "-v"),
    ("sample", 1, "--clip NAME|--at 0|--at 0,-1,1e30|--fps 10|--fps 1e-30|--csv|--rate 24"),
    ("play --script second", 1, "--with FILE|--fps 10|--fps 1e9|--csv|--take NAME|--script FILE"),
    ("view --no-open -o out.html", 2, "--with FILE|--fix|--take NAME|--force|--rate 24"),
    ("diff", 2, "--tolerance 0|--seconds 1e9|--only motion|--ignore-rotation|--all|--normals keep"),
    (
        "convert -o out",
        3,
        "--to FORMAT|--to glb|--clip NAME|--merge|--split|--join NAME|--strict|--fps 12|--up z|\
         --clip-names {set}_{clip}|--with FILE|--rate 1e9|--force",
    ),
    (
        "split -o out.glb",
        2,
        "--to FORMAT|--take NAME|--fps 1|--rebase|--borders|--direct-children|--all-events|--force",
    ),
];

const OPTIONS: &str = "--json|-q|-v|-j 2|--from FORMAT|--max-input 1k|--max-memory 1M|\
                       --max-memory 4k|--dialect editamo|--root .|--unknown";

const FORMATS: &str = "amo|anm-text|bvh|castle|stt|tmd-anm|tmd-anc|tmd|x3d|gltf|glb|cast|dot|fbx";

const NAMES: &str = "wave|walk|Arm|#1|#2|a|state|stt-bom|warning";

/// No command exits with a status other than 0, 1 or 2, panics, takes more than a minute of
/// processor time, or writes to a file that is not its output.
#[test]
fn arbitrary_commands() {
    let fixtures = fixtures();
    let mut rng = Rng::new(15);
    for _ in 0..fixtures::scale(150, 5_000) {
        let folder = Folder::new();
        let inputs: Vec<(String, Vec<u8>)> = ["first", "second", "third"]
            .map(|name| {
                let (extension, bytes) = rng.pick(&fixtures);
                let bytes = if rng.chance(25) { bytes } else { mutate(&bytes, rng.next_u64()) };
                (format!("{name}.{extension}"), bytes)
            })
            .into();
        for (name, bytes) in &inputs {
            folder.write(name, bytes);
        }
        let line = line(&mut rng, &inputs);
        let run = folder.shell(&format!("ulimit -t 60; animfmt {line}"));
        let said = format!("{line}\n{inputs:?}\n{}", String::from_utf8_lossy(&run.output.stderr));
        assert!((0..=2).contains(&run.status()) && !said.contains("panicked"), "{said}");
        for (name, bytes) in &inputs {
            assert!(folder.read(name) == *bytes, "{name} has changed: {said}");
        }
    }
}

/// Returns the extension and the content of each small fixture.
fn fixtures() -> Vec<(String, Vec<u8>)> {
    let mut paths: Vec<_> = WalkDir::new(fixtures::folder(""))
        .into_iter()
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.is_file() && path.metadata().unwrap().len() <= SMALL as u64)
        .collect();
    paths.sort();
    let extension = |path: &Path| path.extension().map(|name| name.to_str().unwrap().to_owned());
    let found: Vec<_> =
        paths.iter().filter_map(|path| Some((extension(path)?, fs::read(path).unwrap()))).collect();
    assert!(found.len() > 100, "{}", found.len());
    found
}

/// Returns a command line.
fn line(rng: &mut Rng, inputs: &[(String, Vec<u8>)]) -> String {
    let (command, most, options) = rng.pick(&COMMANDS);
    let mut words = vec![command.to_owned()];
    for list in [options, options, OPTIONS] {
        if rng.chance(50) {
            let (format, name) = (rng.pick_of(FORMATS, '|'), rng.pick_of(NAMES, '|'));
            let option = rng
                .pick_of(list, '|')
                .replace("FORMAT", format)
                .replace("NAME", name)
                .replace("FILE", &inputs[2].0);
            words.push(
                option.split(' ').map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
            );
        }
    }
    // Some commands need all of their inputs.
    let count = if rng.chance(70) { most } else { rng.between(1, most) };
    words.extend(inputs.iter().take(count).map(|(name, _)| format!("'{name}'")));
    words.join(" ")
}
