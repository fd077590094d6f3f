// Cuts a member out of a document's text and leaves every other byte as it is, in JSON and in YAML.

/** Removes each `"name":{…}` or `"name":[…]` from compact or indented JSON. */
export function dropJsonMember(text: string, name: string): string {
  const label = `"${name}":`;
  let rest = text;
  for (let at = rest.indexOf(label); at >= 0; at = rest.indexOf(label)) {
    const before = rest.slice(0, at);
    const after = rest.slice(endOfValue(rest, at + label.length));
    // One of the two commas around the member goes with it: the one before, unless it is the first member.
    const withoutComma = before.replace(/,\s*$/, '');
    rest = withoutComma + (withoutComma === before ? after.replace(/^,\s*/, '') : after);
  }
  return rest;
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at]!;
    if (inString) {
      if (char === '\\') at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '[' || char === '{') depth++;
    else if (char === ']' || char === '}') {
      if (depth === 0) return at;
      depth--;
      if (depth === 0) return at + 1;
    } else if (char === ',' && depth === 0) return at;
  }
  return text.length;
}

/** Removes the member's line, and those below that are indented deeper or are items at its own column. */
export function dropYamlMember(text: string, name: string): string {
  let column = -1;
  const kept = text.split('\n').filter((line) => {
    const at = line.search(/[^ ]/);
    if (column >= 0 && (at > column || (at === column && line.startsWith('- ', at)))) return false;
    const own = line.trim();
    column = own === `${name}:` || own.startsWith(`${name}: `) ? at : -1;
    return column < 0;
  });
  return kept.join('\n');
}
