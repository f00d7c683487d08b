import type { SeenAnswer } from '../compare-answers.ts'
import type { Failure } from '../replay.ts'
import type { DifferentStep } from './compare-steps.ts'

/** A step that both answer differently, and why. */
export interface Explained {
  readonly step: DifferentStep
  readonly cause?: string
}

/** One step, as the rules look at it. */
interface Facts {
  readonly area: string
  readonly method: string
  /** With its query, decoded. */
  readonly path: string
  /** The condition of the query, as JSON. */
  readonly where: string
  readonly loopback: Partial<SeenAnswer>
  readonly modelwire: Partial<SeenAnswer>
}

type Applies = (facts: Facts) => boolean

const failed = ({ loopback: { status } }: Facts): boolean => status === 500
const areLists = ({ loopback, modelwire }: Facts): boolean =>
  Array.isArray(loopback.json) && Array.isArray(modelwire.json)

/** The same records in another order. */
const areSameRecords = ({ loopback, modelwire }: Facts): boolean => {
  const [one, other] = [loopback.json, modelwire.json].map((list) =>
    Array.isArray(list) ? list.map((record: unknown) => JSON.stringify(record)).toSorted() : []
  )
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The causes that conformance/README.md explains, in the order of the rules. */
const rules: Readonly<Record<string, Applies>> = {
  'LoopBack ends': ({ loopback: { status } }) => status === 0,
  'XML of ObjectIds': ({ loopback: { text = '' } }) => text.includes('charData should not contain'),
  'an id that already exists': (facts) => failed(facts) && facts.modelwire.status === 409,
  'an update of nothing': (facts) => failed(facts) && /\/update\b/.test(facts.path),
  'names with a dot or a dollar': (facts) => failed(facts) && facts.method === 'POST',
  'ilike and nilike': (facts) => failed(facts) && /"n?ilike"/.test(facts.where),
  'unknown operators': (facts) => failed(facts) && facts.where !== '',
  'wildcards of like': ({ where }) => /"n?like"/.test(where),
  'regexp on numbers': ({ where }) => /"price":\{"regexp"/.test(where),
  '$where is dropped': ({ where }) => where.includes('"$where"'),
  'null and absent': ({ where }) => /:null\b/.test(where),
  'a list or an empty object as a value': ({ where }) => /"(?!inq|nin|between)[\w.]+":(?:\[|\{\})/.test(where),
  'types of undeclared values': (facts) =>
    areLists(facts) && /"(?:n|s|a|unknown|o|meta|origin)(?:\.[\w.]+)?":/.test(facts.where),
  'ids in documents of the explorer': ({ area }) => area === 'explorer',
  'included records that are denied': ({ area, path }) => area === 'acl' && path.includes('"include"'),
  'texts that are ids': ({ area, path }) => area === 'acl' || path.startsWith('/api/Groups?'),
  'a date by default': ({ path }) => path === '/api/defaults',
  'an id under another name': ({ path }) => path.startsWith('/api/Serials?'),
  'an id that is no number': ({ method, loopback: { json } }) =>
    method === 'POST' && (json as { id?: unknown } | null | undefined)?.id === null, // a record
  'a list stored at once': areSameRecords
}

/** Of a later step, once a write was answered differently. */
const follows = 'follows another write'

const seenBy = (failure: Failure | undefined): Partial<SeenAnswer> => failure?.exchange?.seen ?? {}

/** `filter={"where":…}`, `where=…` and `[where][name]=value` in one form. */
function whereOf(path: string): string {
  const query = new URL(path, 'http://localhost').searchParams
  const inBrackets = [...query]
    .filter(([name]) => /^(?:filter\[where\]|where\[)/.test(name))
    .map(([name, value]) => inBracketsAsJson(name.replace(/^filter\[where\]|^where/, ''), value))
  const filter = query.get('filter') ?? ''
  const within = /"where":(.*?)(?:,"(?:fields|include|order|limit)"|$)/.exec(filter)?.[1] ?? ''
  return [query.get('where') ?? '', within, ...inBrackets].join('')
}

const inBracketsAsJson = (name: string, value: string): string =>
  name.replace(/\[\]/, '[0]').replaceAll(/\[(\w[\w.]*)\]/g, (_, key: string) => (key === '0' ? '[' : `"${key}":`)) +
  JSON.stringify(value)

function factsOf({ area, loopback, modelwire }: DifferentStep): Facts {
  const { request, accepted = [] } = (loopback ?? modelwire)?.exchange ?? {}
  const [recorded = {}] = accepted as readonly Partial<SeenAnswer>[] // an answer has what is compared of one that was seen
  const path = request?.path ?? ''
  return {
    area,
    method: request?.method ?? 'GET',
    path,
    where: whereOf(path),
    loopback: loopback === undefined ? recorded : seenBy(loopback),
    modelwire: modelwire === undefined ? recorded : seenBy(modelwire)
  }
}

/** The causes of a scenario's steps that both answer differently; absent where no rule applies. */
export function explainDifferences(steps: readonly DifferentStep[]): readonly Explained[] {
  let isChanged = false
  return steps
    .filter(({ isAlike }) => !isAlike)
    .map((step) => {
      const facts = factsOf(step)
      const cause =
        Object.entries(rules).find(([, applies]) => applies(facts))?.[0] ?? (isChanged ? follows : undefined)
      if (facts.method !== 'GET') isChanged = true
      return { step, ...(cause !== undefined && { cause }) }
    })
}
