//! Parses the bones of a set.

use anim_ir::diag::quote;
use anim_ir::{Diagnostic, Span};

use super::Parser;
use crate::codes;
use crate::content::{BoneData, push};
use crate::keyword::BoneOption;
use crate::tokens::{Line, Token};

impl<'a> Parser<'a> {
    pub(super) fn bone(&mut self, line: &mut Line<'a>) -> Option<()> {
        let name = self.name(line, "bone name")?;
        let bytes = name.of(self.source);
        if bytes.starts_with(b"+") {
            self.missing(name.span(), "bone name", &quote(bytes));
            return None;
        }
        let mut bone = BoneData { name, children: false, parent: false };
        let mut previous_end = name.span().end;
        while let Ok(word) = line.token() {
            if !word.bytes.starts_with(b"+") {
                self.extra(line, word);
                break;
            }
            let Some(option) = BoneOption::of(word.bytes).or_else(|| self.odd_option(word)) else {
                previous_end = word.place.span().end;
                continue;
            };
            let slot = match option {
                BoneOption::Children => &mut bone.children,
                BoneOption::Parent => &mut bone.parent,
            };
            if std::mem::replace(slot, true) {
                self.diagnostics.report_fix(&codes::OPTION_REPEATED, || {
                    let span = word.place.span();
                    let message = format!("duplicate option `{}`", option.text());
                    // Remove the preceding whitespace, too.
                    Diagnostic::new(&codes::OPTION_REPEATED, span, message)
                        .fix(Span::new(previous_end, span.end), "")
                });
            }
            previous_end = word.place.span().end;
        }
        push(&mut self.content.bones, bone);
        Some(())
    }

    /// Reports an unknown option. Returns the intended option if the specification itself has that
    /// spelling, or if repairs are being collected and the repair is unambiguous.
    #[cold]
    fn odd_option(&mut self, word: Token<'_>) -> Option<BoneOption> {
        let span = word.place.span();
        if word.bytes == b"+chidren" {
            self.diagnostics.report_fix(&codes::OPTION_SPELLING, || {
                let message = "expected `+children`, found `+chidren`";
                Diagnostic::new(&codes::OPTION_SPELLING, span, message)
                    .fix(span, BoneOption::Children.text())
            });
            return Some(BoneOption::Children);
        }
        let diagnostic = || {
            let found = quote(word.bytes);
            let message = format!("expected `+children` or `+parent`, found {found}");
            Diagnostic::new(&codes::OPTION, span, message)
        };
        let Some((option, only_case)) = BoneOption::nearest(word.bytes) else {
            self.diagnostics.report(&codes::OPTION, diagnostic);
            return None;
        };
        let helpful = || {
            diagnostic().help(if only_case {
                "keywords and options are case-sensitive".to_owned()
            } else {
                format!("did you mean `{}`?", option.text())
            })
        };
        if span.end == self.source.len() {
            // Do not repair the end of a file: if it is truncated, more than the rest of the option
            // may be missing.
            self.diagnostics.report(&codes::OPTION, helpful);
            return None;
        }
        self.diagnostics.report_fix(&codes::OPTION, || helpful().fix(span, option.text()));
        Some(option).filter(|_| self.limits.fixes > 0)
    }
}
