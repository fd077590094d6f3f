// Odd texts, and random JSON of no type.
package main

import (
	"strings"
)

// What some reader or writer takes for something else than a text, or must escape, quote or fold.
var oddTexts = []string{
	"", " ", "yes", "no", "y", "n", "on", "off", "true", "True", "null", "Null", "~", "1", "-1", "+1", "0x1F", "0b1", "0o7", "017", "1e3", "1E3",
	"1_000", "1.", ".5", ".", "..", "-", "--", "---", "- a", "a: b", "a:", ":a", "#c", "a #b", "a# b", " lead", "trail ", "|", ">", "'", "\"", "it's",
	"2020-01-01", "2020-01-01T00:00:00Z", "2001-12-14t21:59:43.10-05:00", "12:30:45", "190:20:30", "\n", "a\nb", "a\nb\n", "a\n\n", "\na", " a\nb", "a\n b",
	"\t", "a\tb", "\r", "a\r\nb", "%", "@", "`", "!", "!!str", "*x", "&y", "?", "? a", "{", "}", "[", "]", ",", "<<", "=", "Infinity", ".inf", "-.INF", ".nan",
	"NaN", "0.1", "1e400", "9223372036854775808", "<a>&</a>", "\u2028", "a\u2029b", "\u0085", "\ufeff", "\ufeffa", "\ufffd", "\ufffe", "\uffff", "\x00", "\x01\x1f",
	"\x7f", "\u0080", "\u009f", "\u00a0", "é", "e\u0301", "日本", "😀", "\U0010ffff", "\ue000", "a\\b", "\\u0041", "k8s\x00", "__proto__", "constructor", "items",
	"kind", "metadata", "\b\f\v\a\x1b", "a\u200bb", "\u202eabc",
}

var badTexts = []string{"\xff", "a\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\x80", "é\xe9é", "\xe2\x80"}

func (f *filler) text() string {
	if f.keepsBadText && f.Intn(8) == 0 {
		return badTexts[f.Intn(len(badTexts))]
	}
	switch f.Intn(8) {
	case 0, 1:
		return oddTexts[f.Intn(len(oddTexts))]
	case 2:
		return oddTexts[f.Intn(len(oddTexts))] + oddTexts[f.Intn(len(oddTexts))]
	case 3:
		return f.longText()
	default:
		return f.word()
	}
}

func (f *filler) word() string {
	var text strings.Builder
	for range 1 + f.Intn(10) {
		text.WriteByte("abcdefghijklmnopqrstuvwxyz0123456789-./"[f.Intn(39)])
	}
	return text.String()
}

// longText is longer than a line, of words and what may stand between them.
func (f *filler) longText() string {
	gaps := []string{" ", " ", " ", "  ", "\n", ": ", " #", ", ", "\t", ""}
	var text strings.Builder
	for range 1 + f.Intn(40) {
		text.WriteString(f.word())
		text.WriteString(gaps[f.Intn(len(gaps))])
	}
	return text.String()
}

var numbers = []string{
	"0", "-0", "1", "-1", "1.0", "1.5", "1e0", "1E2", "1e+2", "100e-2", "-0.0", "0.1", "1e-7", "1e21", "1e20", "123456789012345678", "9223372036854775807",
	"9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "2147483648", "-2147483649",
	"0.1e1", "1e308", "5e-324", "1e-400", "3.141592653589793238", "4294967296", "2.5e3", "10000000000000000000000",
}

// json is random JSON text without type, all of it valid.
func (f *filler) json(depth int) string {
	kind := f.Intn(10)
	if depth > 4 && kind > 6 {
		kind -= 6
	}
	switch kind {
	case 0:
		return "null"
	case 1:
		return "true"
	case 2:
		return "false"
	case 3, 4:
		return numbers[f.Intn(len(numbers))]
	case 5, 6:
		return f.quoted(f.text())
	case 7:
		parts := make([]string, f.length())
		for i := range parts {
			parts[i] = f.json(depth + 1)
		}
		return "[" + strings.Join(parts, ",") + "]"
	default:
		parts := make([]string, f.length())
		for i := range parts {
			parts[i] = f.quoted(f.text()) + ":" + f.json(depth+1)
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
}
