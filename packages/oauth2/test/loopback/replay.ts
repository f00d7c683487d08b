import { readFileSync } from 'node:fs'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'

/** What loopback-component-oauth2 3.2.0 answered to a request; sentences left out, what changes normalised. */
export interface Pair {
  readonly id: number
  readonly group: string
  readonly title: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | null
  readonly status: number | null
  readonly answerHeaders: Readonly<Record<string, string>>
  readonly answer?: unknown
}

const file = new URL('../../test/loopback/fixtures/recorded.json', import.meta.url)
const pairs = JSON.parse(readFileSync(file, 'utf8')) as readonly Pair[] // the file holds these

/** The recorded pair with this number. */
export function pairOf(id: number): Pair {
  const pair = pairs.find((one) => one.id === id)
  if (pair === undefined) throw new Error(`no pair has the number ${id}`)
  return pair
}

/** Numbers of all pairs. */
export const allIds: readonly number[] = pairs.map(({ id }) => id)

/** What stands in for what the recording normalised: tokens, codes, transactions, assertions, the cookie. */
export interface Values {
  readonly token?: string
  readonly txn?: string
  readonly jwt?: string
  readonly cookie?: string
}

const port = '9000'
/** The redirect URI of the recorded clients. */
export const recordedCallback = `http://127.0.0.1:${port}/cb`

function fill(text: string, { token = '', txn = '', jwt = '', cookie = '' }: Values): string {
  return text
    .replaceAll('<token32>', token)
    .replaceAll('<txn8>', txn)
    .replaceAll('<jwt>', jwt)
    .replaceAll('<port>', port)
    .replace(/^connect\.sid=<session>$/, cookie)
    .replace(/base64\((.*)\)/, (_all, pair: string) => Buffer.from(pair).toString('base64'))
}

/** Sends the request of a pair. */
export async function send(app: FastifyInstance, pair: Pair, values: Values = {}): Promise<LightMyRequestResponse> {
  const headers = Object.entries(pair.headers).map(([name, value]) => [name, fill(value, values)] as const)
  const request: InjectOptions = {
    method: pair.method,
    url: fill(pair.path, values),
    headers: Object.fromEntries(headers),
    ...(pair.body === null || pair.body === undefined ? {} : { payload: fill(pair.body, values) })
  }
  return app.inject(request)
}

/** The recorded form of a value: any token for a token. */
function matcher(value: unknown): unknown {
  if (value === '<token32>') return /^[A-Za-z0-9]{32}$/
  if (Array.isArray(value)) return value.map(matcher)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, matcher(item)]))
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

function locationPattern(recorded: string): RegExp {
  const [token, txn] = ['[A-Za-z0-9]{32}', '[A-Za-z0-9]+']
  const filled = escape(recorded.replaceAll('<port>', port))
  return new RegExp(`^${filled.replaceAll('<token32>', token).replaceAll('<txn8>', txn)}$`)
}

/** The members of an answer, sentences left out. */
function withoutSentences(body: string): unknown {
  const { error_description: _description, ...parsed } = JSON.parse(body) as Record<string, unknown> // an object
  const { error } = parsed
  if (typeof error !== 'object' || error === null) return parsed
  const { message: _message, ...rest } = error as Record<string, unknown> // checked above
  return { ...parsed, error: rest }
}

function compareBody(t: Test, { answer, status }: Pair, answered: LightMyRequestResponse, name: string): void {
  if (answer === undefined || status === 404 || answer === null) return
  if (typeof answer === 'string') {
    t.equal(answered.body, answer, `${name}: the text`)
    return
  }
  const given = withoutSentences(answered.body) as object // an object
  t.match(given, matcher(answer), `${name}: the values`)
  t.same(Object.keys(given), Object.keys(answer as object), `${name}: the members in their order`)
}

/** Compares an answer with the recorded one: status, body, and the headers that mean something. */
export function compare(t: Test, pair: Pair, answered: LightMyRequestResponse): void {
  const name = `${pair.id} ${pair.title}`
  t.equal(answered.statusCode, pair.status, `${name}: the status (${answered.body.slice(0, 200)})`)
  for (const header of ['www-authenticate', 'cache-control', 'pragma']) {
    const recorded = pair.answerHeaders[header]
    if (recorded !== undefined) t.equal(answered.headers[header], recorded, `${name}: ${header}`)
  }
  const { location } = pair.answerHeaders
  if (location !== undefined) t.match(String(answered.headers.location), locationPattern(location), `${name}: location`)
  compareBody(t, pair, answered, name)
}

/** Sends pairs one after the other, with the same values, and compares. */
export async function replay(
  t: Test,
  app: FastifyInstance,
  ids: readonly number[],
  values: Values = {}
): Promise<void> {
  for (const id of ids) compare(t, pairOf(id), await send(app, pairOf(id), values))
}
