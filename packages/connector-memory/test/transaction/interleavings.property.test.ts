import * as fc from 'fast-check'
import t, { type Test } from 'tap'
import { filterOf } from '@modelwire/connector-tests'
import type { Collection, OpenTransaction, Row } from '@modelwire/core/connector'
import { runs } from '@modelwire/test-waits'
import { beginOn } from '../fixtures/in-transaction.ts'
import { openMemory } from '../fixtures/open-memory.ts'

const definition = {
  name: 'Item',
  properties: {
    id: { type: 'number', id: true },
    code: { type: 'string', unique: true },
    group: { type: 'number', index: true },
    count: 'number'
  }
} as const

/** Does something to records, and gives what it found. */
type Step = (items: Collection) => Promise<unknown>

const everything = filterOf({})
const inGroup = (value: number) => ({ kind: 'test', path: ['group'], test: 'equals', value }) as const
const id = fc.integer({ min: 1, max: 4 })
const group = fc.integer({ min: 1, max: 2 })
const code = fc.constantFrom('x', 'y', null)
const patch = fc.record({ code, group, count: fc.nat(9) }, { requiredKeys: [] })

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.constant<Step>(async (items) => sorted(await items.find(everything))),
  id.map(
    (each): Step =>
      async (items) =>
        items.findById(each)
  ),
  group.map(
    (each): Step =>
      async (items) =>
        items.count(inGroup(each))
  ),
  fc.tuple(id, patch).map(
    ([each, row]): Step =>
      async (items) =>
        items.insert([{ id: each, ...row }])
  ),
  fc.tuple(id, patch).map(
    ([each, row]): Step =>
      async (items) =>
        items.upsert({ id: each, ...row })
  ),
  fc.tuple(id, patch).map(
    ([each, row]): Step =>
      async (items) =>
        items.replace(each, { ...row })
  ),
  fc.tuple(group, patch).map(
    ([each, row]): Step =>
      async (items) =>
        items.update(inGroup(each), { ...row })
  ),
  group.map(
    (each): Step =>
      async (items) =>
        items.delete(inGroup(each))
  ),
  id.map((each): Step => async (items) => {
    const count = Number((await items.findById(each))?.['count'] ?? 0)
    return items.upsert({ id: each, count: count + 1 })
  })
)

/** What a step found, or the code that it was refused with. */
async function outcomeOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return structuredClone(await work())
  } catch (error) {
    if (error instanceof Error && 'code' in error) return { code: error.code }
    throw error
  }
}

const sorted = (rows: readonly Row[]): Row[] => [...rows].toSorted((a, b) => Number(a['id']) - Number(b['id']))
const isConflict = (outcome: unknown): boolean => JSON.stringify(outcome) === '{"code":"TRANSACTION_CONFLICT"}'

/** What steps find when nobody else is there, and what they leave behind. */
async function runAlone(t: Test, rows: readonly Row[], steps: readonly Step[]) {
  const { collection } = await openMemory(t, [definition])
  const items = collection('Item')
  await items.insert(structuredClone(rows))
  const found: unknown[] = []
  for (const each of steps) found.push(await outcomeOf(async () => each(items)))
  return { found, rows: structuredClone(sorted(await items.find(everything))) }
}

/** A transaction as it went. */
interface Past {
  readonly steps: Step[]
  readonly found: unknown[]
  /** The records when it began. */
  readonly start: readonly Row[]
  readonly open: OpenTransaction
}

/** One turn: a step of a transaction, which begins with its first one, or its commit. */
interface Turn {
  /** Which transaction; 0 is none: the step is on its own. */
  readonly at: number
  readonly step: Step | 'commit'
}

const turns: fc.Arbitrary<Turn[]> = fc.array(
  fc.record({
    at: fc.nat(3),
    step: fc.oneof({ weight: 5, arbitrary: anyStep }, { weight: 1, arbitrary: fc.constant('commit' as const) })
  }),
  { minLength: 4, maxLength: 16 }
)
const initial: Row[] = [
  { id: 1, code: 'x', group: 1, count: 0 },
  { id: 2, group: 1, count: 0 },
  { id: 3, group: 2, count: 0 }
]

/** Looks at a transaction that was committed, with the records before and after. */
type Inspect = (past: Past, before: readonly Row[], after: readonly Row[]) => Promise<void>

/** Carries turns out on records of its own. */
class Interleaving {
  readonly #t: Test
  readonly #open = new Map<number, Past>()
  readonly #begin: () => Promise<OpenTransaction>
  readonly #items: Collection
  readonly #inspect: Inspect
  conflicts = 0

  constructor(t: Test, items: Collection, begin: () => Promise<OpenTransaction>, inspect: Inspect) {
    this.#t = t
    this.#items = items
    this.#begin = begin
    this.#inspect = inspect
  }

  async run(all: readonly Turn[]): Promise<void> {
    for (const { at, step } of all) await (step === 'commit' ? this.#commit(at) : this.#take(at, step))
    for (const at of this.#open.keys()) await this.#commit(at)
  }

  async #take(at: number, step: Step): Promise<void> {
    if (at === 0) return void (await outcomeOf(async () => step(this.#items)))
    const past = this.#open.get(at) ?? { steps: [], found: [], start: await this.#read(), open: await this.#begin() }
    this.#open.set(at, past)
    past.found.push(await outcomeOf(async () => past.open.run(async () => step(this.#items))))
    past.steps.push(step)
  }

  async #commit(at: number): Promise<void> {
    const past = this.#open.get(at)
    this.#open.delete(at)
    if (past === undefined) return
    const before = await this.#read()
    const outcome = await outcomeOf(async () => past.open.commit())
    const after = await this.#read()
    if (isConflict(outcome)) {
      this.conflicts++
      this.#t.strictSame(after, before, 'a conflict leaves nothing')
      return
    }
    this.#t.equal(outcome, undefined)
    this.#t.notOk(past.found.some(isConflict), 'what met a conflict is not committed')
    await this.#inspect(past, before, after)
  }

  async #read(): Promise<readonly Row[]> {
    return structuredClone(sorted(await this.#items.find(everything)))
  }
}

async function interleave(t: Test, all: readonly Turn[], isolation: string, inspect: Inspect): Promise<number> {
  const { connector, collection } = await openMemory(t, [definition], { transactions: true })
  const items = collection('Item')
  await items.insert(structuredClone(initial))
  const interleaving = new Interleaving(t, items, async () => beginOn(connector, isolation), inspect)
  await interleaving.run(all)
  return interleaving.conflicts
}

async function checkProperty(t: Test, isolation: string, inspect: Inspect): Promise<void> {
  let conflicts = 0
  const property = fc.asyncProperty(turns, async (all) => {
    conflicts += await interleave(t, all, isolation, inspect)
  })
  await fc.assert(property, { numRuns: runs(300) })
  t.ok(conflicts > 10, `${conflicts} conflicts`)
}

void t.test('serializable transactions find and leave what they would one after the other', async (t) => {
  await checkProperty(t, 'serializable', async ({ steps, found, start }, before, after) => {
    const isUnchanged = JSON.stringify(before) === JSON.stringify(after)
    // One that changes nothing has its place where it began, one that writes has it where it was committed.
    const early = await runAlone(t, start, steps)
    if (isUnchanged && JSON.stringify(early.found) === JSON.stringify(found)) return
    const alone = await runAlone(t, before, steps)
    t.strictSame(found, alone.found)
    t.strictSame(after, alone.rows)
  })
})

void t.test(
  'a transaction finds the state at its begin and its own writes, and overwrites nobody else’s',
  async (t) => {
    await checkProperty(t, 'repeatable read', async ({ steps, found, start }, before, after) => {
      const alone = await runAlone(t, start, steps)
      t.strictSame(found, alone.found, 'nothing dirty is read, and nothing that changes between reads')
      const textIn = (rows: readonly Row[], wanted: number) => JSON.stringify(rows.find((row) => row['id'] === wanted))
      for (const wanted of [1, 2, 3, 4]) {
        const isWritten = textIn(start, wanted) !== textIn(alone.rows, wanted)
        if (isWritten) t.equal(textIn(before, wanted), textIn(start, wanted), 'no update is lost')
        t.equal(textIn(after, wanted), textIn(isWritten ? alone.rows : before, wanted))
      }
    })
  }
)
