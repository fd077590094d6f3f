// The file of --token-auth-file: one user a line, `token,user,uid,"group1,group2"`, as comma-separated values with quotes.
import type { User } from './api.ts';
import type { Tokens } from './authentication.ts';

/** @throws Error that names the line and what is wrong with it. */
export function parseTokenFile(text: string): Tokens {
  const tokens = new Map<string, User>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === '' || line.startsWith('#')) continue;
    const fields = parseLine(line);
    if (fields === null)
      throw new Error(`line ${index + 1}: a quote is not closed, or stands inside a field`);
    if (fields.length < 3) {
      throw new Error(
        `line ${index + 1}: has ${fields.length} columns, and at least token, user, uid are needed`,
      );
    }
    const [token = '', name = '', uid = '', groups = ''] = fields;
    if (token === '') throw new Error(`line ${index + 1}: the token is empty`);
    if (name === '') throw new Error(`line ${index + 1}: the user is empty`);
    tokens.set(token, {
      name,
      uid,
      groups: groups
        .split(',')
        .map((group) => group.trim())
        .filter(Boolean),
    });
  }
  return tokens;
}

/** Null where quotes don't fit. `""` inside quotes is one quote; spaces before a field don't count. */
function parseLine(line: string): string[] | null {
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    while (line[at] === ' ' || line[at] === '\t') at++;
    if (line[at] === '"') {
      let field = '';
      for (at++; line[at] !== '"' || line[at + 1] === '"'; at++) {
        if (at >= line.length) return null;
        if (line[at] === '"') at++;
        field += line[at];
      }
      fields.push(field);
      at++;
    } else {
      const comma = line.indexOf(',', at);
      const field = line.slice(at, comma < 0 ? undefined : comma);
      if (field.includes('"')) return null;
      fields.push(field);
      at += field.length;
    }
    if (at >= line.length) return fields;
    if (line[at] !== ',') return null;
    at++;
  }
}
