import t from 'tap'
import { isFullPart, nextPart, partsWithin, stopAfter } from '#src/connector/parts-within.ts'

void t.test('parts have a thousand rows at most, and fewer where these are large', async (t) => {
  t.equal(nextPart(0, 0), 100, 'nothing is known yet')
  t.equal(nextPart(100, 10_000), 1000)
  t.equal(nextPart(100, 100 * 1024), 256)
  t.equal(nextPart(100, 100 * 1024 * 1024), 1)
  t.ok(isFullPart(100, 0, true))
  t.notOk(isFullPart(999, 0, false))
  t.ok(isFullPart(1000, 0, false))
  t.ok(isFullPart(1, 256 * 1024, false))
})

/** Counts to three; `ended` tells when it was left. */
function countToThree(): { readonly parts: AsyncGenerator<number>; readonly ended: Promise<void> } {
  let end: (() => void) | undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  async function* count(): AsyncGenerator<number> {
    try {
      yield 1
      yield 2
      yield 3
    } finally {
      end?.()
    }
  }
  return { parts: count(), ended }
}

void t.test('parts that are not asked for in time end, and whoever asks then is told so', async (t) => {
  const { parts, ended } = countToThree()
  const iterator = partsWithin(parts, 1)[Symbol.asyncIterator]()
  t.strictSame(await iterator.next(), { value: 1, done: false })
  await ended
  await t.rejects(async () => iterator.next(), { code: 'STATEMENT_TIMEOUT' })
})

void t.test('without a limit parts wait, and end with the iteration', async (t) => {
  const { parts, ended } = countToThree()
  const seen: number[] = []
  for await (const part of partsWithin(parts, 0)) {
    seen.push(part)
    if (part === 2) break
  }
  t.strictSame(seen, [1, 2])
  await ended
})

void t.test('work that takes longer than its limit is stopped', async (t) => {
  const stopped = await new Promise((resolve) => {
    void stopAfter(1, () => resolve('stopped'), new Promise(() => {}))
  })
  t.equal(stopped, 'stopped')
  t.equal(await stopAfter(0, () => t.fail('it has no limit'), Promise.resolve('done')), 'done')
})
