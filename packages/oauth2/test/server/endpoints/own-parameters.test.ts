import type { FastifyReply, FastifyRequest } from 'fastify'
import t from 'tap'
import { FormBody } from '#src/http/parameters.ts'
import { makeGrantKind } from '#src/options/grant-kind.ts'
import type { Client } from '#src/server/clients/client.ts'
import { token } from '#src/server/endpoints/token.ts'
import type { Grant, GrantServices } from '#src/server/grants/grant.ts'

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
  const services = { settings: { grantTypes: new Set([grant.type]) } }
  const request = { headers: {}, body: new FormBody(`grant_type=${grant.type}&${form}`) }
  const grants = new Map([[grant.type, grant]])
  // What is needed until the grant is asked.
  return token(services as unknown as GrantServices, request as unknown as FastifyRequest, {} as FastifyReply, grants)
}

t.test('a parameter that a grant alone has may not come twice', async (t) => {
  await t.rejects(post('ticket=a&ticket=b'), { code: 'OAUTH_PARAMETER_NOT_TEXT' })
  await t.rejects(post('ticket=a&other=b&other=c'), reached)
})
