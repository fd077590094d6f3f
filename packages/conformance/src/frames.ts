// Splits a Protobuf watch into its messages: each is preceded by its length in four big-endian bytes.

export function splitFrames(body: Buffer): { frames: Buffer[]; rest: number } {
  const frames: Buffer[] = [];
  let at = 0;
  while (at + 4 <= body.length) {
    const end = at + 4 + body.readUInt32BE(at);
    if (end > body.length) break;
    frames.push(body.subarray(at + 4, end));
    at = end;
  }
  return { frames, rest: body.length - at };
}
