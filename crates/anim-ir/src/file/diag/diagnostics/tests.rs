//! Tests of collections of diagnostics.

use super::*;
use crate::Category;

static NOTED: Code = Code {
    id: "t-note",
    severity: Severity::Note,
    category: Category::Value,
    meaning: "",
    example: "",
    action: "",
};
static WRONG: Code = Code { id: "t-wrong", severity: Severity::Error, ..NOTED };

#[test]
fn repeated_problems_are_counted_but_not_kept() {
    let mut diagnostics = Diagnostics::new();
    let mut made = 0;
    for i in 0..1_000_usize {
        diagnostics.report(&WRONG, || {
            made += 1;
            Diagnostic::new(&WRONG, Span::new(i, i + 1), "x")
        });
    }
    assert_eq!((made, diagnostics.iter().count()), (10, 10));
    assert_eq!(diagnostics.total(Severity::Error), 1_000);

    let mut all = Diagnostics::new();
    all.push(&WRONG, None, || "first".into());
    all.push(&NOTED, None, || "note".into());
    all.append(diagnostics);
    assert_eq!((all.iter().count(), all.count(&WRONG)), (11, 1_001));
    assert_eq!(all.worst(), Some(Severity::Error));
}

#[test]
fn more_repairs_are_kept_on_request() {
    let within = |fixes| Diagnostics::within(&Limits { fixes, ..Limits::default() });
    let flood = |most| {
        let mut diagnostics = within(most);
        for at in 0..100 {
            let span = Span::new(at, at + 1);
            diagnostics.report_fix(&WRONG, || Diagnostic::new(&WRONG, span, "x").fix(span, "y"));
            diagnostics.push(&NOTED, None, String::new);
        }
        diagnostics
    };
    let fixes =
        |diagnostics: &Diagnostics| diagnostics.iter().filter(|found| found.fix.is_some()).count();
    assert_eq!([0, 50, 1_000].map(|most| fixes(&flood(most))), [10, 60, 100]);
    assert_eq!(flood(1_000).iter().count(), 110, "the limit for others is unchanged");

    let mut all = within(80);
    all.append(flood(1_000));
    assert_eq!((fixes(&all), all.count(&WRONG)), (90, 100));
    all.retain(|found| found.fix.is_none());
    assert_eq!((fixes(&all), all.count(&WRONG), all.count(&NOTED)), (0, 10, 100));
}

#[test]
fn truncation_is_reported_first_and_withholds_repairs() {
    static CUT: Code = Code { id: "t-cut", ..WRONG };
    let mut found = Diagnostics::new();
    for at in 0..3 {
        let span = Span::new(at, at + 1);
        found.report(&NOTED, || Diagnostic::new(&NOTED, span, "n").fix(span, "y"));
    }
    found.withhold_fixes(&CUT);
    assert_eq!(found.iter().filter(|found| found.fix.is_some()).count(), 3, "not truncated");
    found.report(&CUT, || Diagnostic::new(&CUT, Span::new(3, 3), "cut").help("get it all"));
    found.push(&NOTED, None, String::new);
    found.withhold_fixes(&CUT);
    let codes: Vec<&str> = found.iter().map(|found| found.code.id).collect();
    assert_eq!(codes, ["t-cut", "t-note", "t-note", "t-note", "t-note"]);
    assert!(found.iter().all(|found| found.fix.is_none()));
    let help = found.iter().next().unwrap().help.clone().unwrap();
    assert_eq!(help, "get it all; a file that looks truncated is not repaired");
}

#[test]
fn more_of_each_code_are_kept_on_request() {
    let limits = Limits { diagnostics: 50, ..Limits::default() };
    let mut diagnostics = Diagnostics::within(&limits);
    for number in 0..60 {
        assert_eq!(diagnostics.is_full(&WRONG), number >= 50);
        diagnostics.push(&WRONG, None, || number.to_string());
    }
    assert_eq!(diagnostics.iter().count(), 50);
    assert_eq!(diagnostics.not_kept().collect::<Vec<_>>(), [(&WRONG, 10)]);

    let mut all = Diagnostics::new();
    all.push(&WRONG, None, String::new);
    all.append(diagnostics);
    assert_eq!((all.iter().count(), all.count(&WRONG)), (50, 61));
    let none = Limits { diagnostics: 0, ..Limits::default() };
    assert_eq!(Diagnostics::within(&none), Diagnostics::new());
    assert_eq!(Diagnostics::within(&Limits::default()), Diagnostics::new());
}

#[test]
fn into_strict_compares_severities() {
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(&NOTED, None, String::new);
    let parsed = Parsed { value: 1, diagnostics };
    assert_eq!(parsed.clone().into_strict(Severity::Warning), Ok(1));
    assert!(parsed.into_strict(Severity::Note).is_err());
}
