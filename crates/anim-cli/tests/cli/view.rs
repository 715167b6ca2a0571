//! `animfmt view`. Its page is tested in a browser by `scripts/viewer`.

use std::fs;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use test_oracle::glb;

use crate::program::{Folder, Run, list, testdata};

/// The text between the tags of the script with this id.
fn script<'a>(page: &'a str, id: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("id=\"{id}\">")).unwrap();
    rest.split_once("</script>").unwrap().0
}

/// What the page says about its files.
fn info(page: &str) -> Value {
    serde_json::from_str(script(page, "info")).unwrap()
}

fn model(page: &str, number: usize) -> glb::Model {
    let id = format!("model-{number}");
    glb::read(&STANDARD.decode(script(page, &id).trim()).unwrap())
}

/// Runs `view` on files of testdata. Returns the page.
fn view(line: &str) -> (Run, String) {
    let folder = Folder::new();
    let out = folder.path("page.html");
    let run = crate::program::animfmt(format!("view {line} --no-open -o {}", out.display()));
    let page = std::fs::read_to_string(&out).unwrap_or_default();
    (run, page)
}

#[test]
fn the_page_contains_the_model_and_its_clips() {
    let (run, page) = view("ok/octopus_arm.amo");
    run.exits(0).err_has("wrote ");
    let shown = model(&page, 0);
    let folder = Folder::new();
    let converted = folder.path("arm.glb");
    let line = format!("convert ok/octopus_arm.amo -o {}", converted.display());
    crate::program::animfmt(line).exits(0);
    let wanted = glb::read(&std::fs::read(converted).unwrap());
    for (clip, time) in [(0, 0.4), (1, 1.3)] {
        let places = |model: &glb::Model| -> Vec<[f64; 3]> {
            let drawn = model.drawn_at(Some(clip), time);
            let corners = drawn.iter().flat_map(|part| part.triangles.iter().flatten());
            corners.map(|vertex| vertex.place).collect()
        };
        assert_eq!(places(&shown), places(&wanted));
    }
    assert_eq!(info(&page)["files"][0]["name"], "octopus_arm.amo");
}

#[test]
fn the_page_refers_to_nothing_outside_itself() {
    let (run, page) = view("ok/octopus_arm.amo ok/editamo.amo");
    run.exits(0);
    for wrong in ["http:", "https:", "src=", "href=\"/", "@import", "url("] {
        assert!(!page.contains(wrong), "{wrong}");
    }
    assert!(page.contains("default-src 'none'") && page.contains("connect-src 'none'"));
    assert_eq!(page.matches("<link ").count(), page.matches("href=\"data:,\"").count());
}

/// Whatever a file says, it ends neither the script that contains it nor the title.
#[test]
fn names_in_the_page_are_escaped() {
    let folder = Folder::new();
    let text = String::from_utf8(crate::program::fixture("ok/octopus_arm.amo")).unwrap();
    let name = "</script><script>alert(1)</script><!--";
    let text = text.replace("a wave", &format!("a {name}")).replace("\nf ", "\nq\nf ");
    folder.write("<b>&amp;.amo", text);
    folder.run("view <b>&amp;.amo --no-open -o page.html");
    let page = folder.text("page.html");
    assert_eq!(page.matches("<script").count(), 3, "info, a model, and the script");
    assert_eq!(page.matches("</script>").count(), 3);
    assert!(page.contains("<title>&lt;b&gt;&amp;amp;.amo</title>"));
    assert_eq!(info(&page)["files"][0]["name"], "<b>&amp;.amo");
}

#[test]
fn problems_have_their_places_and_lines() {
    let (run, page) = view("err/O02_count_plus_one.amo");
    run.exits(1).err_has(": 1 error");
    let problem = &info(&page)["files"][0]["diagnostics"][0];
    assert_eq!(problem["code"], "amo-position-index");
    assert_eq!(problem["place"], "16:13");
    let source = &problem["source"];
    let line = ["before", "marked", "after"].map(|part| source[part].as_str().unwrap());
    assert_eq!(line, ["f 1/1/1/1/1 ", "5", "/2/1/1/1 3/3/1/2/2"]);
}

#[test]
fn repairs_are_shown_and_not_written() {
    let folder = Folder::new();
    let sloppy = std::fs::read(testdata().join("../cookbook/sloppy.amo")).unwrap();
    folder.write("sloppy.amo", &sloppy);
    folder.run("view sloppy.amo --fix --no-open -o page.html").exits(0);
    assert_eq!(folder.read("sloppy.amo"), sloppy);
    let info = info(&folder.text("page.html"));
    let [before, after] = list(&info["files"]) else { panic!("{info}") };
    assert_eq!(
        [&before["caption"], &after["caption"]],
        ["before the repairs", "after the repairs"]
    );
    let severities = |file: &Value| -> Vec<String> {
        let problems = list(&file["diagnostics"]).iter();
        problems.map(|problem| problem["severity"].as_str().unwrap().to_owned()).collect()
    };
    assert!(severities(before).iter().all(|severity| severity == "warning"));
    let fixed = severities(after);
    assert!(!fixed.is_empty() && fixed.iter().all(|severity| severity == "fixed"), "{fixed:?}");
}

#[test]
fn a_file_that_cannot_be_repaired_is_shown_once_and_the_program_says_why() {
    for (file, why) in [
        ("ok/octopus_arm.amo", "nothing to repair: the file has no problems"),
        (
            "err/O02_count_plus_one.amo",
            "nothing to repair: none of the problems has an unambiguous repair",
        ),
    ] {
        let (run, page) = view(&format!("{file} --fix"));
        run.err_has(format!("note: {file}: {why}"));
        let info = info(&page);
        let [only] = list(&info["files"]) else { panic!("{info}") };
        assert_eq!(only["caption"], Value::Null);
        assert_eq!(only["more"], json!([why]));
        let (quiet, _) = view(&format!("{file} --fix --quiet"));
        assert!(!quiet.stderr().contains("repair"), "{}", quiet.shown());
    }
    let (run, page) = view("../cookbook/sloppy.amo --fix");
    assert!(!run.stderr().contains("repair"), "{}", run.shown());
    assert_eq!(list(&info(&page)["files"]).len(), 2);
}

/// A status that is not 0 is explained, even with `--quiet`.
#[test]
fn quiet_pages() {
    let quiet = |file: &str| {
        let folder = Folder::new();
        folder.animfmt(&format!("view {file} --no-open -q -o OUT/page.html"))
    };
    assert_eq!(quiet("ok/octopus_arm.amo").exits(0).stderr(), "");
    quiet("err/O02_count_plus_one.amo").exits(1).err_has("1 error");
}

/// The states of the example, as in its file: `evening` morphs from `calm` to `swinging` in 2.5 s
/// and goes back after 1.5 s, and can be left at its first key.
#[test]
fn states_are_described() {
    let (run, page) = view("../cookbook/lamp.stt --with ../cookbook/lamp.gltf");
    run.exits(0);
    let file = &info(&page)["files"][0];
    let [machine] = list(&file["machines"]) else { panic!("{file}") };
    assert_eq!(list(&file["clips"]).len(), 2, "sequences have no clips");
    let states = list(&machine["states"]);
    let names: Vec<&str> = states.iter().map(|state| state["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["calm", "swinging", "evening"]);
    assert_eq!(states[1]["duration"], 6.0);
    assert_eq!(states[1]["repeat"], json!({ "from": 0.0, "length": 6.0 }));
    let sequence = &states[2]["sequence"];
    assert_eq!(sequence["order"], "ping-pong forwards");
    let way = |seconds: f64, morph: bool| json!({ "seconds": seconds, "morph": morph });
    let key = |state: u64, exit: bool, forward: Value| {
        let backward = way(1.5, false);
        json!({ "state": state, "exit": exit, "forward": forward, "backward": backward })
    };
    let wanted = [key(0, true, way(2.5, true)), key(1, false, way(6.0, false))];
    assert_eq!(list(&sequence["keys"]), wanted);
}

/// A GLB keeps the states it was made of, so that a second file adds another machine.
#[test]
fn a_file_with_states_and_those_of_another_have_two_machines() {
    let folder = Folder::new();
    for name in ["lamp.stt", "lamp.gltf"] {
        folder.write(name, std::fs::read(testdata().join("../cookbook").join(name)).unwrap());
    }
    let second = folder.text("lamp.stt").replace("calm", "idle").replace("evening", "dance");
    folder.write("second.stt", second);
    folder.run("convert lamp.stt --with lamp.gltf -o lamp.glb").exits(0);
    folder.run("view second.stt --with lamp.glb --no-open -o page.html").exits(0);
    let file = info(&folder.text("page.html"))["files"][0].clone();
    let names = |machine: &Value| -> Vec<String> {
        let states = list(&machine["states"]).iter();
        states.map(|state| state["name"].as_str().unwrap().to_owned()).collect()
    };
    let machines: Vec<Vec<String>> = list(&file["machines"]).iter().map(names).collect();
    assert_eq!(machines, [["calm", "swinging", "evening"], ["idle", "swinging", "dance"]]);
    let clips = |machine: usize| -> Vec<Value> {
        list(&file["machines"][machine]["states"])
            .iter()
            .map(|state| state["clip"].clone())
            .collect()
    };
    assert_eq!(
        [clips(0), clips(1)],
        [[json!(0), json!(1), Value::Null], [json!(2), json!(3), Value::Null]]
    );
    assert_eq!(file["clips"], json!(["calm", "swinging", "idle", "swinging"]));
    assert!(file["summary"].as_str().unwrap().contains("6 states"), "{}", file["summary"]);
}

#[test]
fn the_result_as_json() {
    let (run, _) = view("ok/octopus_arm.amo err/O02_count_plus_one.amo --json");
    let json = run.exits(1).json("view");
    assert_eq!(list(&json["files"])[1]["diagnostics"][0]["line"], 16);
    let failed = crate::program::animfmt("view missing.amo --no-open --json").exits(2);
    assert_eq!(failed.json("view")["output"], Value::Null);
}

#[test]
fn arguments_that_contradict_each_other() {
    for (line, why) in [
        ("a.amo b.amo c.amo", "unexpected"),
        ("a.amo b.amo --fix", "--fix shows one file"),
        ("- --watch", "--watch needs a file"),
        ("- --fix", "--fix needs a file"),
        ("- -", "only once"),
        ("ok/spec.amo --json -o -", "with --json, the page cannot be written to standard output"),
        ("../anm-text/ok/A06_one_frame.anm", "add the model with the take"),
    ] {
        let run = crate::program::animfmt(format!("view {line} --no-open"));
        assert_eq!(run.status(), 2, "{line}: {}", run.shown());
        run.err_has(why);
    }
}

#[test]
fn no_file_is_overwritten_unasked() {
    let folder = Folder::new();
    folder.write("arm.amo", crate::program::fixture("ok/octopus_arm.amo"));
    folder.write("page.html", "mine");
    folder.run("view arm.amo --no-open -o page.html").exits(2).err_has("already exists");
    folder.run("view arm.amo --no-open -o arm.amo --force").exits(2).err_has("never overwritten");
    folder.run("view arm.amo --no-open -o page.html --force").exits(0);
    assert!(folder.text("page.html").starts_with("<!DOCTYPE html>"));
    let page = folder.run("view arm.amo --no-open -o -").exits(0);
    assert!(page.stdout().starts_with("<!DOCTYPE html>"));
}

#[test]
fn limits_hold() {
    let (run, page) = view("ok/octopus_arm.amo --max-memory 200k");
    run.exits(1).err_has("(`--max-memory`)");
    assert!(page.is_empty());
}

/// With `--quiet`, the name of a new page is all that is printed, unless the browser shows it.
#[test]
fn a_quiet_run_prints_where_the_page_is() {
    let folder = Folder::new();
    folder.write("arm.amo", crate::program::fixture("ok/octopus_arm.amo"));
    let run = folder.run("view arm.amo -q --no-open").exits(0);
    let page = run.stdout().trim_end();
    assert!(fs::read_to_string(page).unwrap().starts_with("<!DOCTYPE html>"), "{page}");
    fs::remove_file(page).unwrap();
    assert_eq!(run.stderr(), "");
    let run = folder.run("view arm.amo -q --no-open -o page.html").exits(0);
    assert_eq!((run.stdout(), run.stderr()), ("", ""));
}
