import { isUnlike } from './allow-differences.ts'
import type { Likeness } from './compare-exchange.ts'
import type { Exchange } from './exchange.ts'
import { kindOfOperation, nameOf } from './operation-name.ts'
import type { Outcome } from './run-application.ts'

/** A row of the table. */
export interface Summary {
  readonly name: string
  readonly loopback: string
  readonly modelwire: string
  readonly answers: number
  /** Requests that LoopBack did not answer in time, or with the end of its process. */
  readonly unanswered: number
  /** By the first digit of LoopBack's status: its answers, and how many of Modelwire's are alike. */
  readonly classes: Readonly<Record<string, { readonly answers: number; readonly alike: number }>>
  /** By who asked: LoopBack's answers, and how many of them are 2xx. */
  readonly personas: Readonly<Record<string, { readonly answers: number; readonly successes: number }>>
  /** Methods that LoopBack cannot do here, with what it said. */
  readonly broken: Readonly<Record<string, string>>
  /** Of LoopBack's answers. */
  readonly successes: number
  readonly likenesses: Readonly<Record<Likeness | 'allowed', number>>
  readonly rules: Readonly<Record<string, number>>
  /** Of those that are not alike, how many come after a write that went differently. */
  readonly follows: number
}

/** Differences that look alike, over all applications. */
export interface Cause {
  readonly signature: string
  readonly times: number
  readonly applications: readonly string[]
  readonly example: {
    readonly line: string
    readonly persona: string
    readonly at: string
    readonly loopback: unknown
    readonly modelwire: unknown
    readonly bodies: readonly string[]
  }
}

const wasAnswered = ({ loopback: { status } }: Exchange): boolean => status !== 0

const isSuccess = ({ loopback: { status } }: Exchange): boolean => status >= 200 && status < 300

/** Whether an answer differs in more than the order of names, the wording of an error and what a documented rule allows. */
export const differs = (exchange: Exchange): boolean => isUnlike(exchange) && exchange.allowed === undefined

function count(exchanges: readonly Exchange[]): Summary['likenesses'] {
  const found = { equal: 0, order: 0, wording: 0, allowed: 0, status: 0, header: 0, body: 0 }
  for (const { likeness, allowed } of exchanges) found[allowed === undefined ? likeness : 'allowed'] += 1
  return found
}

/** The documented rules by which answers differ, with how many do. */
function countRules(exchanges: readonly Exchange[]): Readonly<Record<string, number>> {
  const rules: Record<string, number> = {}
  for (const rule of exchanges.flatMap(({ allowed = [] }) => allowed)) rules[rule] = (rules[rule] ?? 0) + 1
  return rules
}

function countClasses(exchanges: readonly Exchange[]): Summary['classes'] {
  const classes: Record<string, { answers: number; alike: number }> = {}
  for (const exchange of exchanges) {
    const counted = (classes[`${Math.floor(exchange.loopback.status / 100)}xx`] ??= { answers: 0, alike: 0 })
    counted.answers += 1
    if (!differs(exchange)) counted.alike += 1
  }
  return classes
}

function countPersonas(exchanges: readonly Exchange[]): Summary['personas'] {
  const personas: Record<string, { answers: number; successes: number }> = {}
  for (const exchange of exchanges) {
    const counted = (personas[exchange.request.persona] ??= { answers: 0, successes: 0 })
    counted.answers += 1
    if (isSuccess(exchange)) counted.successes += 1
  }
  return personas
}

/** The row of an application. */
export function summarise({ application, isCompared, loopback, modelwire, exchanges: sent, broken }: Outcome): Summary {
  const exchanges = sent.filter(wasAnswered)
  const compared = isCompared ? exchanges : []
  return {
    name: application.name,
    loopback: loopback?.reason ?? 'starts',
    modelwire: modelwire?.reason ?? 'starts',
    answers: exchanges.length,
    unanswered: sent.length - exchanges.length,
    classes: countClasses(compared),
    personas: countPersonas(exchanges),
    broken,
    successes: exchanges.filter(isSuccess).length,
    likenesses: count(compared),
    rules: countRules(compared),
    follows: compared.filter((one) => differs(one) && one.follows).length
  }
}

const typeOf = (value: unknown): string => {
  if (value === undefined || value === null) return String(value)
  return Array.isArray(value) ? 'list' : typeof value
}

function shape(value: unknown): string {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : typeOf(value)
}

function signatureOf(exchange: Exchange): string {
  const { request, differences, likeness, loopback, modelwire } = exchange
  const kind = kindOfOperation(nameOf(request.operation))
  const first = differences[0]
  if (likeness === 'status') return `${kind}: ${loopback.status} → ${modelwire.status}`
  const at = first?.at.replaceAll(/\/\d+(?=\/|$)/g, '/#') ?? ''
  if (likeness === 'order' || likeness === 'wording') return `${likeness} of ${kind}`
  return `${kind}: ${loopback.status} ${at} ${shape(first?.loopback)} → ${shape(first?.modelwire)}`
}

function causeOf(signature: string, found: readonly { readonly name: string; readonly exchange: Exchange }[]): Cause {
  const first = found.find(({ exchange }) => !exchange.follows) ?? found[0]
  const difference = first?.exchange.differences[0]
  return {
    signature,
    times: found.length,
    applications: [...new Set(found.map(({ name }) => name))],
    example: {
      line: first?.exchange.line.slice(0, 500) ?? '',
      persona: first?.exchange.request.persona ?? '',
      at: difference?.at ?? '',
      loopback: difference?.loopback,
      modelwire: difference?.modelwire,
      bodies: [first?.exchange.loopback.body, first?.exchange.modelwire.body].map((body = '') => body.slice(0, 800))
    }
  }
}

/** What differs, the most common first. Those that only follow from an earlier difference come last. */
export function groupCauses(outcomes: readonly Outcome[]): readonly Cause[] {
  const unlike = outcomes.flatMap(({ application: { name }, isCompared, exchanges }) =>
    exchanges
      .filter((one) => isCompared && wasAnswered(one) && one.likeness !== 'equal' && one.allowed === undefined)
      .map((exchange) => ({ name, exchange }))
  )
  const groups = new Map<string, { name: string; exchange: Exchange }[]>()
  for (const one of unlike) {
    const follows = one.exchange.follows && differs(one.exchange) ? 'after a write that differs: ' : ''
    const signature = follows + signatureOf(one.exchange)
    groups.set(signature, [...(groups.get(signature) ?? []), one])
  }
  const causes = [...groups].map(([signature, found]) => causeOf(signature, found))
  const rank = ({ signature }: Cause): number =>
    Number(signature.startsWith('after')) * 2 + Number(/^(?:order|wording) of/.test(signature))
  return causes.toSorted((one, other) => rank(one) - rank(other) || other.times - one.times)
}
