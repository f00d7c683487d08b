import type { Difference } from './compare-answers.ts'
import type { Answer } from './framework.ts'
import type { ConversationRequest } from './plan.ts'

/** Regular expressions that a difference has to match in all of the named places. */
interface When {
  readonly kind?: string
  readonly method?: string
  /** Of the decoded path with its query. */
  readonly path?: string
  readonly body?: string
  readonly at?: string
  /** Of LoopBack's value at this place, as JSON. */
  readonly loopback?: string
  readonly modelwire?: string
  readonly loopbackBody?: string
  readonly modelwireBody?: string
  /** Of the files of the application. */
  readonly files?: string
}

/** One documented rule by which Modelwire answers otherwise than LoopBack. */
export interface AllowedDifference {
  readonly rule: string
  readonly mark: 'security' | 'LoopBack is broken' | 'documented'
  /** The page and heading that document it. */
  readonly document: string
  /** Several ways in which the rule shows. */
  readonly when: readonly When[]
}

/** A difference with what it was seen in. */
export interface Seen {
  readonly request: ConversationRequest
  readonly loopback: Answer
  readonly modelwire: Answer
  readonly difference: Difference
  readonly files: Readonly<Record<string, string>>
}

/** A path as people read it. */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const show = (value: unknown): string => JSON.stringify(value) ?? 'absent'

function textsOf({ request, loopback, modelwire, difference, files }: Seen): Readonly<Record<keyof When, string>> {
  return {
    kind: request.kind,
    method: request.method,
    path: decoded(request.path),
    body: request.body ?? '',
    at: difference.at,
    loopback: show(difference.loopback),
    modelwire: show(difference.modelwire),
    loopbackBody: loopback.body,
    modelwireBody: modelwire.body,
    files: Object.values(files).join('\n')
  }
}

/** The rule that allows a difference; undefined where there is none. */
export function findRule(seen: Seen, rules: readonly AllowedDifference[]): AllowedDifference | undefined {
  const texts: Readonly<Record<string, string>> = textsOf(seen)
  const holds = (when: When): boolean =>
    Object.entries(when).every(([name, pattern]) => new RegExp(String(pattern), 's').test(texts[name] ?? ''))
  return rules.find((rule) => rule.when.some(holds))
}
