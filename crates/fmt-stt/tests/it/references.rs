//! Diagnostics for references to missing states.

use anim_ir::Severity;
use fmt_stt::Document;

/// Returns a file with the given states and a keyframe state whose only key is `key` and whose
/// starting key is `start`.
fn file(states: &[&str], key: &str, start: &str) -> String {
    let single = |name: &&str| format!("{{{name}}} SINGLE 1 {{arm}} STATIC 0 0 0 0 0 0 0 0 0\n");
    let count = states.len() + 1;
    format!(
        "#MINDRENDER 1.1\n{count}\n{{tour}} KEYFRAME 1 1 {{{start}}}\n1 2.0 2.0 0 0 {{{key}}}\n{}",
        states.iter().map(single).collect::<String>()
    )
}

fn diagnostics(text: &str) -> Vec<(&'static str, Severity, String, String)> {
    let parsed = Document::parse(text.as_bytes()).unwrap();
    let found = parsed.diagnostics.iter().map(|found| {
        let help = found.help.clone().unwrap_or_default();
        (found.code.id, found.severity(), found.message.clone(), help)
    });
    found.collect()
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
        let found = diagnostics(&file(&["rest", "wave"], key, key));
        let message = format!("no state is named `{key}`");
        assert_eq!(found, [("stt-undefined", Severity::Error, message, help.to_owned())], "{key}");
    }
}

#[test]
fn an_undefined_starting_key_is_an_error() {
    let found = diagnostics(&file(&["wave"], "wave", "Wave"));
    let message = "no state is named `Wave`".to_owned();
    let help = "did you mean `wave`?".to_owned();
    assert_eq!(found, [("stt-undefined", Severity::Error, message, help)]);
    // The starting key names a state that is not a key.
    let found = diagnostics(&file(&["wave", "rest"], "wave", "rest"));
    assert_eq!((found[0].0, found[0].1, found.len()), ("stt-start", Severity::Warning, 1));
}

/// An unreadable state causes one diagnostic, regardless of how many keys refer to it.
#[test]
fn states_that_cannot_be_read_are_not_called_missing() {
    let whole = file(&["wave", "rest"], "wave", "wave").replace(
        "{tour} KEYFRAME 1 1 {wave}\n",
        "{tour} KEYFRAME 2 1 {wave}\n1 2.0 2.0 0 0 {rest}\n",
    );
    let codes = |text: &str| diagnostics(text).iter().map(|found| found.0).collect::<Vec<_>>();
    assert_eq!(codes(&whole), [""; 0]);
    for (right, wrong, code) in [
        // Errors in the state itself: in its name, keyword and count.
        ("{wave} SINGLE", "SINGLE", "stt-name"),
        ("{wave} SINGLE", "{wave} xSINGLE", "stt-keyword"),
        ("{wave} SINGLE 1", "{wave} SINGLE x", "stt-count-range"),
        // An error in a node: its unclosed name extends to the name of the next state.
        ("{arm} STATIC 0 0 0 0 0 0 0 0 0\n{rest}", "{arm STATIC 0 0 0\n{rest}", "stt-count"),
        // An error in the key: the name of the next state is read as the key's name.
        ("0 0 {wave}\n", "0 0\n", "stt-name"),
        // An error in the starting key: its name is missing.
        ("{wave}\n1 2.0", "\n1 2.0", "stt-name"),
    ] {
        let text = whole.replacen(right, wrong, 1);
        assert_eq!(codes(&text)[0], code, "{text}");
        assert!(!codes(&text).contains(&"stt-undefined"), "{text}");
    }
    // The missing rest of the file may contain any state.
    let cut = whole.find("{wave} SINGLE").unwrap();
    assert_eq!(codes(&whole[..cut]), ["stt-count"]);
    assert_eq!(codes(&whole[..cut + "{wave} SINGLE 1 {arm} STATIC 0".len()]), ["stt-truncated"]);
}

#[test]
fn a_missing_state_is_reported_once() {
    let text = file(&["rest"], "wave", "wave").replace("1 1 {wave}\n", "3 1 {wave}\n");
    let key = "1 2.0 2.0 0 0 {wave}\n";
    let found = diagnostics(&text.replace(key, &key.repeat(3)));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].2, "no state is named `wave` (and 2 more references)");
}

#[test]
fn suggestions_are_fast() {
    let names: Vec<String> = (0..20_000).map(|number| format!("{number:064}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let keys: String =
        (0..20_000).map(|number| format!("1 2.0 2.0 0 0 {{wave {number}}}\n")).collect();
    let text = file(&names, "wave", "wave").replace(
        "KEYFRAME 1 1 {wave}\n1 2.0 2.0 0 0 {wave}\n",
        &format!("KEYFRAME 20000 1 {{wave}}\n{keys}"),
    );
    let parsed = Document::parse(text.as_bytes()).unwrap();
    assert_eq!(parsed.diagnostics.total(Severity::Error), 20_001);
}
