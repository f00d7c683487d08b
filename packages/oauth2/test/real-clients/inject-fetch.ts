import type { FastifyInstance, InjectOptions } from 'fastify'

const formOf = (body: unknown): string => (body instanceof URLSearchParams ? body.toString() : JSON.stringify(body))

/** What clients say of a request. */
interface Asked {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: unknown
}

/** A `fetch` that asks the server without a network. */
export function injectFetch(app: FastifyInstance): (url: string, init: Asked) => Promise<Response> {
  return async (url, init) => {
    const { pathname, search } = new URL(url)
    const { body } = init
    const request: InjectOptions = {
      method: init.method as 'GET' | 'POST', // the clients use no others
      url: pathname + search,
      headers: init.headers,
      ...(body === undefined || body === null ? {} : { payload: formOf(body) })
    }
    const answer = await app.inject(request)
    const headers = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) headers.set(name, [value].flat().join(', '))
    return new Response(answer.body === '' ? null : answer.body, { status: answer.statusCode, headers })
  }
}

/** What a client tells of a failure; errors of clients hold whole responses. */
export async function failure(failing: Promise<unknown>): Promise<Readonly<Record<string, unknown>>> {
  try {
    await failing
    return { error: 'it worked' }
  } catch (thrown) {
    const { error, status, code, message } = thrown as Record<string, unknown> // clients throw errors
    return { error, status, code, message }
  }
}
