//! Runs the examples, which are compiled into these tests, with their default files.
#![allow(dead_code, reason = "each is a separate program")]

#[path = "../../examples/convert_with_losses.rs"]
mod convert_with_losses;
#[path = "../../examples/edit_one_value.rs"]
mod edit_one_value;
#[path = "../../examples/load_and_sample.rs"]
mod load_and_sample;
#[path = "../../examples/one_format_alone.rs"]
mod one_format_alone;
#[path = "../../examples/play_and_skin.rs"]
mod play_and_skin;
#[path = "../../examples/state_machine.rs"]
mod state_machine;

#[test]
fn examples_run() {
    load_and_sample::run(load_and_sample::DEFAULTS).unwrap();
    play_and_skin::run(play_and_skin::DEFAULT).unwrap();
    state_machine::run(state_machine::DEFAULT).unwrap();
    one_format_alone::run(one_format_alone::DEFAULT).unwrap();
}

#[test]
fn one_line_is_edited() {
    let edited = edit_one_value::run(edit_one_value::DEFAULT).unwrap();
    let before = std::fs::read_to_string(edit_one_value::DEFAULT).unwrap();
    let changed = before.lines().zip(edited.lines()).filter(|(before, after)| before != after);
    assert_eq!(changed.collect::<Vec<_>>(), [("ap 0 1 0 0 0", "ap 0 1 0 0.25 0")]);
    assert_eq!(before.lines().count(), edited.lines().count());
}

#[test]
fn the_converted_file_is_readable() {
    let written = convert_with_losses::run(convert_with_losses::DEFAULTS).unwrap();
    assert!(written.main.starts_with(b"#MINDRENDER 1.1\n"));
    let [path, _] = convert_with_losses::DEFAULTS;
    assert!(convert_with_losses::run([path, "glb"]).unwrap().main.starts_with(b"glTF"));
    assert!(convert_with_losses::run([path, "no-such"]).is_err());
}
