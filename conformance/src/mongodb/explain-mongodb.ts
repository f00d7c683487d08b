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
  readonly loopback: Partial<SeenAnswer>
  readonly modelwire: Partial<SeenAnswer>
}

type Applies = (facts: Facts) => boolean

const isRead = ({ method, path }: Facts): boolean => method === 'GET' && /[?&](?:filter|where)/.test(path)
const failed = ({ loopback: { status } }: Facts): boolean => status === 500

/** The causes that docs/mongodb.md explains, in the order of the rules. */
const rules: Readonly<Record<string, Applies>> = {
  'LoopBack ends': ({ loopback: { status } }) => status === 0,
  'XML of ObjectIds': ({ loopback: { text = '' } }) => text.includes('charData should not contain'),
  'an id that exists already': (facts) => failed(facts) && facts.modelwire.status === 409,
  'an update of nothing': (facts) => failed(facts) && /\/update\b/.test(facts.path),
  'names with a dot or a dollar': (facts) => failed(facts) && facts.method !== 'GET',
  'ilike and nilike': (facts) => failed(facts) && /"n?ilike"/.test(facts.path),
  'unknown operators': (facts) => failed(facts) && isRead(facts),
  'wildcards of like': ({ path }) => /"n?like":|\[n?like\]/.test(path),
  'a pattern for numbers': ({ path }) => /"price":\{"regexp"/.test(path),
  '$where is dropped': ({ path }) => path.includes('"$where"'),
  'null and absent': ({ path }) => /"where":.*:null/.test(path),
  'lists as values': ({ path }) => /"where":.*(?::\[|\{"gt":\[)|\[\]=/.test(path) && !/"inq"|"nin"|"between"/.test(path),
  'an empty condition': ({ path }) => /"where":\{"\w+":\{\}\}/.test(path),
  'types of undeclared values': (facts) => isRead(facts) && /Entries|OpenNotes|unknown\.|meta\.|origin\./.test(facts.path),
  'ids in documents of the explorer': ({ area }) => area === 'explorer',
  'texts that are ids': ({ area, path }) => area === 'acl' || /\/(?:Groups|Members)\b/.test(path),
  'a date by default': ({ path }) => path === '/api/defaults',
  'an id under another name': ({ path }) => /\/Serials\?/.test(path)
}

const seenBy = (failure: Failure | undefined): Partial<SeenAnswer> => failure?.exchange?.seen ?? {}

function factsOf({ area, loopback, modelwire }: DifferentStep): Facts {
  const { request, accepted = [] } = (loopback ?? modelwire)?.exchange ?? {}
  const [recorded = {}] = accepted as readonly Partial<SeenAnswer>[] // an answer has what is compared of one that was seen
  const path = request?.path ?? ''
  return {
    area,
    method: request?.method ?? 'GET',
    path: /%(?![0-9a-f]{2})/i.test(path) ? path : decodeURIComponent(path),
    loopback: loopback === undefined ? recorded : seenBy(loopback),
    modelwire: modelwire === undefined ? recorded : seenBy(modelwire)
  }
}

/** The causes of a scenario's steps that both answer differently; absent where no rule applies. */
export function explainDifferences(steps: readonly DifferentStep[]): readonly Explained[] {
  return steps
    .filter(({ isAlike }) => !isAlike)
    .map((step) => {
      const facts = factsOf(step)
      const cause = Object.entries(rules).find(([, applies]) => applies(facts))?.[0]
      return { step, ...(cause !== undefined && { cause }) }
    })
}
