import { setTimeout as wait } from 'node:timers/promises'
import { type Answer, compareAnswers, type Difference } from '../../diff/compare.ts'
import type { IgnoreRules } from '../../diff/ignore-rules.ts'
import type { Verdict } from '../routes/route-evidence.ts'
import type { Owner } from '../routes/route-table.ts'
import type { Ask, Repeatable } from './ask-sides.ts'

/** Runs work in the background, with limits on concurrent and waiting work. */
export interface Background {
  /** False if too much is waiting already: the work is not done. */
  readonly start: (work: () => Promise<void>) => boolean
  readonly hasRoom: () => boolean
  /** Resolves once running work is done; waiting work is dropped. */
  readonly close: () => Promise<void>
}

/** A read that was answered to a client. */
export interface ComparableRead {
  readonly owner: Owner
  readonly repeatable: Repeatable
  /** The client's response; undefined if it was conditional or partial, and therefore incomplete. */
  readonly answer: Answer | undefined
}

/** The dependencies for comparing reads. */
export interface ReadComparison {
  readonly ask: Readonly<Record<Owner, Ask>>
  readonly rules: IgnoreRules
}

/** Milliseconds before both sides are compared again: concurrent writes have ended then. */
const pauses = [0, 100, 500] as const

type Pair = Readonly<Record<Owner, Answer>>

/** An answer is too long to be compared. */
class TooLarge extends Error {}

async function askSide(ask: Ask, repeatable: Repeatable): Promise<Answer> {
  const answer = await ask(repeatable)
  if (answer === undefined) throw new TooLarge()
  return answer
}

async function askBoth({ ask }: ReadComparison, { repeatable }: ComparableRead): Promise<Pair> {
  const [old, now] = await Promise.all([askSide(ask.old, repeatable), askSide(ask.new, repeatable)])
  return { old, new: now }
}

/** The first pair: the client's answer, and that of the side that does not own the route. */
async function firstPair(comparison: ReadComparison, read: ComparableRead): Promise<Pair> {
  const { owner, answer, repeatable } = read
  if (answer === undefined) return askBoth(comparison, read)
  const other = owner === 'old' ? 'new' : 'old'
  const compared = await askSide(comparison.ask[other], repeatable)
  return owner === 'old' ? { old: answer, new: compared } : { old: compared, new: answer }
}

/**
 * Compares the responses of both sides to a read. Since records may change meanwhile, differing requests are repeated until
 * the responses agree, or differ in the same way while neither side has changed its response.
 * @throws the error of a side that does not answer
 */
export async function compareRead(comparison: ReadComparison, read: ComparableRead): Promise<Verdict> {
  try {
    return await compareUntilStable(comparison, read)
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    return { kind: 'not compared', reason: 'large' }
  }
}

async function compareUntilStable(comparison: ReadComparison, read: ComparableRead): Promise<Verdict> {
  const { rules } = comparison
  const compare = (one: Answer, other: Answer): Difference[] => compareAnswers(one, other, rules)
  let pair = await firstPair(comparison, read)
  if (compare(pair.old, pair.new).length === 0) return { kind: 'equal' }
  for (const pause of pauses) {
    await wait(pause, undefined, { ref: false })
    const again = await askBoth(comparison, read)
    const differences = compare(again.old, again.new)
    if (differences.length === 0) return { kind: 'equal' }
    const isStable = compare(pair.old, again.old).length === 0 && compare(pair.new, again.new).length === 0
    if (isStable) return { kind: 'different', outcome: { request: read.repeatable.request, ...again, differences } }
    pair = again
  }
  return { kind: 'not compared', reason: 'changing' }
}

/**
 * Makes a background queue.
 * @param most pieces of work at once
 * @param waiting pieces that may wait
 */
export function makeBackground(most: number, waiting: number): Background {
  const queue: (() => Promise<void>)[] = []
  const running = new Set<Promise<void>>()
  let isClosed = false
  const run = async (first: () => Promise<void>): Promise<void> => {
    for (let next: (() => Promise<void>) | undefined = first; next !== undefined; next = queue.shift()) await next()
  }
  const begin = async (work: () => Promise<void>): Promise<void> => {
    const done = run(work)
    running.add(done)
    await done
    running.delete(done)
  }
  const hasRoom = (): boolean => !isClosed && (running.size < most || queue.length < waiting)
  return {
    hasRoom,
    start: (work) => {
      if (!hasRoom()) return false
      if (running.size < most) void begin(work)
      else queue.push(work)
      return true
    },
    close: async () => {
      isClosed = true
      queue.length = 0
      await Promise.all(running)
    }
  }
}
