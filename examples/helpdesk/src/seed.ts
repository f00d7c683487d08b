import type { FastifyInstance } from 'fastify'

/** Two tenants with their agents, and the client that sums. @returns the secret of the client, which is shown once */
export async function seed({ models, oauth2 }: FastifyInstance): Promise<string> {
  const { Tenant, Agent, Tag, Ticket } = models
  for (const [name, ...people] of [
    ['Birch Ltd', 'ann', 'bob'],
    ['Cedar Inc', 'eve']
  ] as const) {
    const { id: tenantId } = await Tenant.create({ name })
    for (const person of people)
      await Agent.create({ name: person, email: `${person}@example.org`, password: 'a quiet evening', tenantId })
    await Tag.create([
      { name: 'billing', tenantId },
      { name: 'printer', tenantId }
    ])
    await Ticket.create({ subject: `Welcome, ${name}`, minutes: 5, status: 'closed', tenantId })
  }
  const { secret = '' } = await oauth2.clients.create({
    id: 'wallboard',
    name: 'Wallboard',
    grantTypes: ['client_credentials'],
    scopes: ['tickets:sum']
  })
  return secret
}
