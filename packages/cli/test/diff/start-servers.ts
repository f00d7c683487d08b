import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import type { Test } from 'tap'

/** What a server answers, or how it does. */
export type Reply = (request: FastifyRequest, reply: FastifyReply) => unknown

const books = [
  { id: 1, title: 'Dune', pages: 412, tags: ['sand'], author: null },
  { id: 2, title: 'Emma', pages: 474, tags: [], author: { name: 'Jane' } }
]

/** A server of books, with some answers replaced by path. Gives its URL. */
export async function startServer(t: Test, own: Readonly<Record<string, Reply>> = {}): Promise<string> {
  const app = Fastify()
  t.teardown(() => app.close())
  const replies: Readonly<Record<string, Reply>> = {
    '/books': () => books,
    '/books/1': () => books[0],
    '/gone': (_request, reply) =>
      reply.code(404).send({ error: { statusCode: 404, code: 'GONE', message: 'it is gone' } }),
    '/login': () => ({ token: 'a'.repeat(64), at: '2026-01-01T00:00:00.000Z' }),
    '/me': ({ headers }) => ({ known: headers.authorization === 'a'.repeat(64) }),
    '/moved': (_request, reply) => reply.redirect('/books'),
    '/text': (_request, reply) => reply.type('text/plain').send('hello'),
    ...own
  }
  for (const [url, handler] of Object.entries(replies))
    app.route({ method: ['GET', 'POST'], url, handler: async (request, reply) => handler(request, reply) })
  return app.listen({ host: '127.0.0.1', port: 0 })
}

/** The answers of the books, to change one thing in them. */
export const bookRows = (): Record<string, unknown>[] => structuredClone(books)
