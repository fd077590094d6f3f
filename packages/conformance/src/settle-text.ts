// Replaces what varies by nature in a text: uids, times, resourceVersions, continue tokens, the name of the run.

/** What the texts of one answer are settled with. */
export type Settling = {
  /** The name of the run, and the variables saved so far. */
  variables: Readonly<Record<string, string>>;
  /** The answer's resourceVersions from low to high when they keep their rank; undefined when all look alike. */
  ranks: readonly string[] | undefined;
};

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\b20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
/** base64url of `{"`, and on. */
const CONTINUE_TOKEN = /\beyJ[A-Za-z0-9_-]{20,}/g;
const REVISION_MEMBER = /("?resourceVersion"?\s*:\s*"?)(\d+)("?)/g;

export function settleText(text: string, settling: Settling): string {
  const { run } = settling.variables;
  return (run === undefined ? text : text.replaceAll(run, '<run>'))
    .replace(UID, '<uid>')
    .replace(TIME, '<time>')
    .replace(CONTINUE_TOKEN, (token) => settleContinueToken(token, settling))
    .replace(
      REVISION_MEMBER,
      (_whole, before: string, revision: string, after: string) =>
        `${before}${revisionName(revision, settling)}${after}`,
    )
    .replace(/([Rr]esource version: )\d+(, current: )\d+/g, '$1<rv>$2<rv>')
    .replace(/(too old resource version: )\d+( \()\d+(\))/g, '$1<rv>$2<rv>$3')
    .replace(/(at input byte )\d+/g, '$1<n>')
    .replace(/(\+)[0-9a-f]{40}/g, '$1<commit>');
}

/** `<rv>`, or its place in the answer, and the saved variable it equals. */
export function revisionName(revision: string, { variables, ranks }: Settling): string {
  if (ranks === undefined) return '<rv>';
  const same = Object.entries(variables).find(([name, value]) => name !== 'run' && value === revision);
  return `<rv#${ranks.indexOf(revision) + 1}${same ? ` = ${same[0]}` : ''}>`;
}

/** The revisions in a JSON body, each once, from low to high. */
export function rankRevisions(body: string): string[] {
  const found = [...body.matchAll(/"resourceVersion": ?"(\d+)"/g)].map((match) => match[1]!);
  return [...new Set(found)].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

/** A token's own content is compared, since a client can read it. */
function settleContinueToken(text: string, settling: Settling): string {
  let token: { rv?: unknown };
  try {
    token = JSON.parse(Buffer.from(text, 'base64url').toString()) as typeof token;
  } catch {
    return text;
  }
  if (typeof token.rv === 'number' && token.rv > 0) token.rv = '<rv>';
  return `<continue ${settleText(JSON.stringify(token), settling)}>`;
}
