import { compareValues, type Difference } from '../conversations/compare-answers.ts'
import type { Answer } from '../conversations/framework.ts'
import { isObject } from '../is-object.ts'

/** How two answers relate: the first that holds. */
export type Likeness = 'status' | 'header' | 'body' | 'order' | 'wording' | 'equal'

/** The likeness of two answers, and where they differ. */
export interface Compared {
  readonly likeness: Likeness
  readonly differences: readonly Difference[]
}

const idsWithin = /\b(?:[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/gi
const hash = /^\$2[aby]\$\d\d\$.{53}$/
const madeUpText = /^(?=.*\d)[\w.+/=-]{16,}$/
const minutes = 120_000

function timeOf(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:/.test(value)) return Date.parse(value)
  return typeof value === 'number' && value > 1e12 ? value : undefined
}

function isSameMoment(one: unknown, other: unknown): boolean {
  const [first, second] = [timeOf(one), timeOf(other)]
  return first !== undefined && second !== undefined && Math.abs(first - second) < minutes
}

/** Both are values that a side makes up, such as ids, tokens and hashes. */
function areMadeUp(one: string, other: string): boolean {
  if (hash.test(one) && hash.test(other)) return true
  if (one.length !== other.length && !(one.startsWith('eyJ') && other.startsWith('eyJ'))) return false
  return madeUpText.test(one) && madeUpText.test(other) && !isSameMoment(one, other)
}

function masked(one: unknown, other: unknown): unknown {
  if (one === other) return one
  if (isSameMoment(one, other)) return '<time>'
  if (typeof one !== 'string' || typeof other !== 'string') return one
  if (areMadeUp(one, other)) return '<made up>'
  const [first, second] = [one, other].map((text) => text.replaceAll(idsWithin, '<id>'))
  return first === second ? '<made up>' : one
}

/** `one` with the same masks that `other` gets beside it; values of `random` properties are masked where both have one. */
function mask(one: unknown, other: unknown, random: readonly string[]): unknown {
  if (Array.isArray(one) && Array.isArray(other))
    return one.map((item: unknown, index) => mask(item, other[index], random))
  if (!isObject(one) || !isObject(other)) return masked(one, other)
  const isByChance = (name: string): boolean => random.includes(name) && typeof one[name] === typeof other[name]
  return Object.fromEntries(
    Object.entries(one).map(([name, item]) => [name, isByChance(name) ? '<random>' : mask(item, other[name], random)])
  )
}

/** What errors of Node.js itself and of mailers have besides their code, in answers of servers under development. */
const ofNode = [
  'originalCode',
  'errno',
  'syscall',
  'path',
  'dest',
  'generatedMessage',
  'actual',
  'expected',
  'operator',
  'requireStack'
]

const withoutNode = (error: object): object =>
  Object.fromEntries(Object.entries(error).filter(([name]) => !ofNode.includes(name)))

/** An error without what is free: the wording of its messages and the stack. */
function withoutWording(json: unknown): unknown {
  if (!isObject(json) || !isObject(json['error'])) return json
  const { message: _, stack: __, details, ...error } = json['error']
  if (!isObject(details)) return { error: withoutNode(error) }
  const { messages: ___, ...rest } = details
  return { error: { ...withoutNode(error), details: rest } }
}

function parse({ body }: Answer): unknown {
  if (body === '') return undefined
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

const messageOf = (json: unknown): unknown =>
  isObject(json) && isObject(json['error']) ? json['error']['message'] : ''

const compareWording = (one: unknown, other: unknown): readonly Difference[] =>
  compareValues('wording', messageOf(mask(one, other, [])), messageOf(mask(other, one, [])))

const headers = ['content-type', 'location'] as const

function likenessOf(differences: readonly Difference[]): Likeness {
  if (differences[0]?.at === 'wording') return 'wording'
  if (differences.some(({ at }) => !at.startsWith('order') && !at.startsWith('header'))) return 'body'
  if (differences.some(({ at }) => at.startsWith('header'))) return 'header'
  if (differences.length > 0) return 'order'
  return 'equal'
}

/** Compares two answers; values that each side makes up are equal, and so are times of the same two minutes. */
export function compareExchange(loopback: Answer, modelwire: Answer, random: readonly string[] = []): Compared {
  if (loopback.status !== modelwire.status)
    return {
      likeness: 'status',
      differences: [{ at: 'status', loopback: loopback.status, modelwire: modelwire.status }]
    }
  const [one, other] = [parse(loopback), parse(modelwire)]
  const [mine, yours] = [withoutWording(one), withoutWording(other)]
  const differences = [
    ...headers.flatMap((name) => compareValues(`header ${name}`, loopback.headers[name], modelwire.headers[name])),
    ...compareValues('', mask(mine, yours, random), mask(yours, mine, random))
  ]
  const found = differences.length > 0 || loopback.status >= 500 ? differences : compareWording(one, other)
  return { likeness: likenessOf(found), differences: found }
}
