import type { FastifyReply, FastifyRequest } from 'fastify'
import t from 'tap'
import type { Client } from '#src/clients/client.ts'
import { token } from '#src/endpoints/token.ts'
import type { Grant } from '#src/grants/grant.ts'
import { makeGrantKind } from '#src/grants/grant-kind.ts'
import { FormBody } from '#src/http/parameters.ts'
import type { ServerParts } from '#src/server-parts.ts'

const reached = new Error('the grant was asked')

const grant: Grant = {
  ...makeGrantKind({ type: 'urn:own', title: 'Own' }),
  allowsPublic: true,
  issue: () => Promise.reject(reached),
  parameters: ['ticket'],
  // The parts of a client that the endpoint reads.
  findClient: async () => ({ id: 'c', isPublic: true, grantTypes: [grant.type] }) as unknown as Client
}

async function post(form: string): Promise<unknown> {
  const parts = { grants: new Map([[grant.type, grant]]), settings: { grantTypes: new Set([grant.type]) } }
  const request = { headers: {}, body: new FormBody(`grant_type=${grant.type}&${form}`) }
  // The parts that are needed until the grant is asked.
  return token(parts as unknown as ServerParts, request as unknown as FastifyRequest, {} as FastifyReply)
}

t.test('a parameter that a grant alone has may not come twice', async (t) => {
  await t.rejects(post('ticket=a&ticket=b'), { code: 'OAUTH_PARAMETER_NOT_TEXT' })
  await t.rejects(post('ticket=a&other=b&other=c'), reached)
})
