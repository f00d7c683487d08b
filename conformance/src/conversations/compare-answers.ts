import type { Answer } from './framework.ts'
import { isObject } from '../is-object.ts'

/** One place at which two answers differ; undefined stands for what is absent. */
export interface Difference {
  /** `status`, `header NAME`, `body`, the JSON pointer of a value, or `order POINTER` for names in another order. */
  readonly at: string
  readonly loopback: unknown
  readonly modelwire: unknown
}

const random = /^(?:[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const recent = 3_600_000

function normalText(text: string): string {
  if (random.test(text)) return '<id>'
  return time.test(text) && Math.abs(Date.parse(text) - Date.now()) < recent ? '<now>' : text
}

/** A value with the same text for each id and time that varies from run to run. */
export function normalise(value: unknown): unknown {
  if (typeof value === 'string') return normalText(value)
  if (Array.isArray(value)) return value.map(normalise)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, normalise(item)]))
}

/** An error without what is free: the wording of its messages. */
function withoutWording(json: unknown): unknown {
  if (!isObject(json) || !isObject(json['error'])) return json
  const { message: _, details, ...error } = json['error']
  if (!isObject(details)) return { error }
  const { messages: __, ...rest } = details
  return { error: { ...error, details: rest } }
}

const idsWithin = /\b(?:[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/g
const timesWithin = /\d{4}-\d\d-\d\dT[\d:.]+Z/g

/** Other texts than JSON, such as XML; the wording of an error is all that it says besides its status. */
function normalBody(body: string): string {
  if (body.includes('<error>')) return '<error>'
  return body.replace(idsWithin, '<id>').replace(timesWithin, normalText)
}

function parse(body: string): unknown {
  if (body === '') return undefined
  try {
    return withoutWording(normalise(JSON.parse(body)))
  } catch {
    return normalBody(body)
  }
}

function compareObjects(
  at: string,
  loopback: Readonly<Record<string, unknown>>,
  modelwire: Readonly<Record<string, unknown>>
): readonly Difference[] {
  const names = new Set([...Object.keys(loopback), ...Object.keys(modelwire)])
  const found = [...names].flatMap((name) => compareValues(`${at}/${name}`, loopback[name], modelwire[name]))
  const [one, other] = [Object.keys(loopback).join(), Object.keys(modelwire).join()]
  if (found.length > 0 || one === other) return found
  return [{ at: `order ${at}`, loopback: one, modelwire: other }]
}

/** The places at which two JSON values differ. */
export function compareValues(at: string, loopback: unknown, modelwire: unknown): readonly Difference[] {
  if (Array.isArray(loopback) && Array.isArray(modelwire) && loopback.length === modelwire.length)
    return loopback.flatMap((item: unknown, index) => compareValues(`${at}/${index}`, item, modelwire[index]))
  if (isObject(loopback) && isObject(modelwire)) return compareObjects(at, loopback, modelwire)
  return JSON.stringify(loopback) === JSON.stringify(modelwire) ? [] : [{ at, loopback, modelwire }]
}

const headers = ['content-type', 'location'] as const

/** How two answers differ; an answer with another status is not compared further. */
export function compareAnswers(loopback: Answer, modelwire: Answer): readonly Difference[] {
  if (loopback.status !== modelwire.status)
    return [{ at: 'status', loopback: loopback.status, modelwire: modelwire.status }]
  const ofHeaders = headers.flatMap((name) =>
    compareValues(`header ${name}`, loopback.headers[name], modelwire.headers[name])
  )
  return [...ofHeaders, ...compareValues('', parse(loopback.body), parse(modelwire.body))]
}
