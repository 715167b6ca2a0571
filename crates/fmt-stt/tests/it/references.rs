//! References to missing states.

use anim_ir::Severity;
use fmt_stt::Document;

/// A file with the given states and a keyframe state whose only key is `key` and whose starting
/// key is `start`.
fn file(states: &[&str], key: &str, start: &str) -> String {
    let single = |name: &&str| format!("{{{name}}} SINGLE 1 {{arm}} STATIC 0 0 0 0 0 0 0 0 0\n");
    let count = states.len() + 1;
    format!(
        "#MINDRENDER 1.1\n{count}\n{{tour}} KEYFRAME 1 1 {{{start}}}\n1 2.0 2.0 0 0 {{{key}}}\n{}",
        states.iter().map(single).collect::<String>()
    )
}

fn told(text: &str) -> Vec<(&'static str, Severity, String, String)> {
    let parsed = Document::parse(text.as_bytes()).unwrap();
    let told = parsed.diagnostics.iter().map(|found| {
        let help = found.help.clone().unwrap_or_default();
        (found.code.id, found.severity(), found.message.clone(), help)
    });
    told.collect()
}

#[test]
fn similar_names_are_suggested() {
    for (key, help) in [
        ("Wave", "did you mean `wave`?"),
        ("wvae", "did you mean `wave`?"),
        (" wave", "did you mean `wave`?"),
        ("arm", "`arm` is a node; keys name states"),
        ("quite another", ""),
    ] {
        let found = told(&file(&["rest", "wave"], key, key));
        let message = format!("no state is named `{key}`");
        assert_eq!(found, [("stt-undefined", Severity::Error, message, help.to_owned())], "{key}");
    }
}

#[test]
fn an_undefined_starting_key_is_an_error() {
    let found = told(&file(&["wave"], "wave", "Wave"));
    let message = "no state is named `Wave`".to_owned();
    let help = "did you mean `wave`?".to_owned();
    assert_eq!(found, [("stt-undefined", Severity::Error, message, help)]);
    // A state that is not a key.
    let found = told(&file(&["wave", "rest"], "wave", "rest"));
    assert_eq!((found[0].0, found[0].1, found.len()), ("stt-start", Severity::Warning, 1));
}

#[test]
fn suggestions_are_fast() {
    let names: Vec<String> = (0..20_000).map(|number| format!("{number:064}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let keys: String = (0..20_000).map(|_| "1 2.0 2.0 0 0 {wave}\n").collect();
    let text = file(&names, "wave", "wave").replace(
        "KEYFRAME 1 1 {wave}\n1 2.0 2.0 0 0 {wave}\n",
        &format!("KEYFRAME 20000 1 {{wave}}\n{keys}"),
    );
    let parsed = Document::parse(text.as_bytes()).unwrap();
    assert_eq!(parsed.diagnostics.total(Severity::Error), 20_000);
}
