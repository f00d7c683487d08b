import type { FastifyInstance } from 'fastify'

/** What a browser was answered. */
export interface Answer {
  readonly status: number
  readonly location: string | undefined
  readonly cookies: readonly string[]
  readonly body: unknown
}

/** A browser with a jar of cookies. */
export interface Browser {
  readonly get: (url: string) => Promise<Answer>
  readonly post: (url: string, payload: object) => Promise<Answer>
  readonly cookies: Map<string, string>
}

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Opens a browser at an application. */
export function openBrowser(app: FastifyInstance): Browser {
  const cookies = new Map<string, string>()
  const send = async (method: 'GET' | 'POST', url: string, payload?: object): Promise<Answer> => {
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ')
    const answer = await app.inject({ method, url, headers: { cookie }, ...(payload && { payload }) })
    const set = [answer.headers['set-cookie'] ?? []].flat()
    for (const line of set) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    return {
      status: answer.statusCode,
      location: answer.headers.location,
      cookies: set.map((line) => line.replace(/=[^;]*/, '').replace(/; Expires=[^;]*/, '')),
      body: read(answer.body)
    }
  }
  return { get: (url) => send('GET', url), post: (url, payload) => send('POST', url, payload), cookies }
}
