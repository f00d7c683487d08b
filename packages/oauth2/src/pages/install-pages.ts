import type { FastifyInstance } from 'fastify'
import type { OAuth2Parts } from '../parts.ts'
import type { Interaction } from '../seams.ts'

/** Sets up sessions and pages. */
export async function installPages(_app: FastifyInstance, _parts: OAuth2Parts): Promise<Interaction> {
  return {
    signedIn: async () => undefined,
    askLogin: async (_request, reply) => reply.code(401).send(),
    askConsent: async (_request, reply) => reply.code(403).send(),
    showError: async (_request, reply, error) => reply.code(error.statusCode).send({ error: error.error }),
    checkCsrf: () => {}
  }
}
