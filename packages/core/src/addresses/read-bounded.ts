/** An answer of another server is longer than this server reads. */
export class AnswerTooLong extends TypeError {}

/**
 * The text of an answer, read no further than it may be long.
 * @param most bytes
 * @throws {AnswerTooLong}
 */
export async function readBounded(body: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > most) throw new AnswerTooLong(`the answer is longer than ${most} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
