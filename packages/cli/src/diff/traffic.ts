import { readFile } from 'node:fs/promises'
import { CommandError } from '../errors.ts'

/** One request to send to both servers. */
export interface Request {
  readonly method: string
  /** Path and query, from the root of the server. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

type Unknowns = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Unknowns =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const wrong = (file: string, why: string): CommandError => new CommandError('TRAFFIC_UNREADABLE', `${file}: ${why}`)

/** Headers that belong to one connection or one client, not to the request. */
const notSent =
  /^(?::.*|host|connection|content-length|accept-encoding|cookie2?|origin-trial|sec-.*|upgrade.*|if-(?:none-match|modified-since))$/i

function keptHeaders(entries: readonly (readonly [string, unknown])[]): Record<string, string> {
  const kept = entries.filter(([name, value]) => !notSent.test(name) && typeof value === 'string')
  return Object.fromEntries(kept.map(([name, value]) => [name.toLowerCase(), String(value)]))
}

const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url, 'http://localhost')
  return pathname + search
}

function fromHarEntry(entry: unknown): Request[] {
  const request = isObject(entry) ? entry['request'] : undefined
  if (!isObject(request) || typeof request['url'] !== 'string') return []
  const headers = Array.isArray(request['headers']) ? request['headers'].filter(isObject) : []
  const { postData } = request
  const body = isObject(postData) && typeof postData['text'] === 'string' ? { body: postData['text'] } : {}
  return [
    {
      method: String(request['method'] ?? 'GET'),
      path: pathOf(request['url']),
      headers: keptHeaders(headers.map(({ name, value }) => [String(name), value])),
      ...body
    }
  ]
}

/** The requests of an HTTP archive. @see HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/ */
function fromHar(har: Unknowns, file: string): Request[] {
  const entries = isObject(har['log']) ? har['log']['entries'] : undefined
  if (!Array.isArray(entries)) throw wrong(file, 'an HTTP archive must have log.entries')
  return entries.flatMap(fromHarEntry)
}

function bodyOf(line: Unknowns): { body?: string } {
  const { json, body } = line
  if (json !== undefined) return { body: JSON.stringify(json) }
  return typeof body === 'string' ? { body } : {}
}

function fromLine(text: string, at: number, file: string): Request {
  let line: unknown
  try {
    line = JSON.parse(text)
  } catch {
    throw wrong(`${file}:${at + 1}`, 'invalid JSON')
  }
  if (!isObject(line) || typeof line['path'] !== 'string' || !line['path'].startsWith('/'))
    throw wrong(`${file}:${at + 1}`, 'a request must have a path that starts with a slash')
  const headers = isObject(line['headers']) ? keptHeaders(Object.entries(line['headers'])) : {}
  const json = line['json'] === undefined ? {} : { 'content-type': 'application/json' }
  return {
    method: String(line['method'] ?? 'GET'),
    path: line['path'],
    headers: { ...json, ...headers },
    ...bodyOf(line)
  }
}

/**
 * Reads requests from an HTTP archive (`.har`), or from lines of JSON: `{"method", "path", "headers", "json" or "body"}`.
 * @throws {CommandError} TRAFFIC_UNREADABLE: the file is not there, or is neither
 */
export async function readTraffic(file: string): Promise<Request[]> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw wrong(file, 'cannot be read')
  })
  const lines = text.split('\n')
  if (!/\.har$/i.test(file)) return lines.flatMap((line, at) => (line.trim() === '' ? [] : [fromLine(line, at, file)]))
  try {
    const har: unknown = JSON.parse(text)
    return fromHar(isObject(har) ? har : {}, file)
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw wrong(file, 'invalid JSON')
  }
}

/** The value of a JSON text; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
