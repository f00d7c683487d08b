import { Agent, request } from 'node:http'
import type { Answers } from './answers.ts'

/** An answer as clients use it; status 0 where there was none. */
export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** A request of a client. */
export interface Sending {
  /** What it is counted as. */
  readonly kind: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object
}

/** Milliseconds for an answer. */
const patience = 40_000

interface Raw {
  readonly status: number
  readonly text: string
  readonly cookies: readonly string[]
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** The code of an error, also where HAProxy answers by itself. */
function codeOf(body: Answer['body']): string {
  const { error } = body
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}

/** One client with an address of its own, which keeps cookies as browsers do. */
export class Client {
  readonly #url: string
  readonly #address: string
  readonly #answers: Answers
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 })
  readonly #cookies = new Map<string, { readonly value: string; readonly until: number }>()
  #token: string | undefined

  constructor(url: string, address: string, answers: Answers) {
    this.#url = url
    this.#address = address
    this.#answers = answers
  }

  get token(): string | undefined {
    return this.#token
  }

  async logIn(account: object): Promise<boolean> {
    const { status, body } = await this.send({
      kind: 'login',
      method: 'POST',
      path: '/api/Customers/login',
      body: account
    })
    if (status === 200) this.#token = String(body['id'])
    return status === 200
  }

  /** Sends one request, and counts the answer. It never rejects: a broken connection is status 0. */
  async send({ kind, method, path, body }: Sending): Promise<Answer> {
    try {
      const raw = await this.#exchange(method, path, body)
      this.#keepCookies(raw.cookies)
      const parsed = parse(raw.text)
      this.#answers.count(kind, raw.status, codeOf(parsed))
      return { status: raw.status, body: parsed }
    } catch (error) {
      this.#answers.count(kind, 'broken', error instanceof Error && 'code' in error ? String(error.code) : '')
      return { status: 0, body: {} }
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  #exchange(method: string, path: string, body: object | undefined): Promise<Raw> {
    const text = body === undefined ? undefined : JSON.stringify(body)
    return new Promise((resolve, reject) => {
      const options = { method, agent: this.#agent, headers: this.#headers(text), timeout: patience }
      const sent = request(this.#url + path, options, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part)).on('error', reject)
        response.on('end', () => {
          const cookies = response.headers['set-cookie'] ?? []
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString(), cookies })
        })
      })
      sent.on('timeout', () => sent.destroy(Object.assign(new Error('no answer'), { code: 'NO_ANSWER' })))
      sent.on('error', reject).end(text)
    })
  }

  #headers(text: string | undefined): Record<string, string> {
    const now = Date.now()
    const cookies = [...this.#cookies]
      .filter(([, { until }]) => until > now)
      .map(([name, { value }]) => `${name}=${value}`)
    return {
      'x-forwarded-for': this.#address,
      ...(this.#token === undefined ? {} : { authorization: this.#token }),
      ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
      ...(text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(text)}` })
    }
  }

  #keepCookies(lines: readonly string[]): void {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const age = Number(/;\s*max-age=(\d+)/i.exec(line)?.[1] ?? 0)
      this.#cookies.set(name, { value, until: Date.now() + age * 1000 })
    }
  }
}
