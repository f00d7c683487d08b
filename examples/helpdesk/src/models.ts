import { type AccessRule, defineModel, type ModelsOf } from '@modelwire/core'
import { Type } from '@sinclair/typebox'

/** What no rule below allows is denied. */
const closed: AccessRule = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }

const reads = ['find', 'findOne', 'findById', 'exists', 'count']

/** Agents may do this with the records that `rows` leads to from their tenant: a part of every query. */
const agents = (property: string[], rows: string, fields?: string[]): AccessRule => ({
  principalType: 'ROLE',
  principalId: '$authenticated',
  permission: 'ALLOW',
  property,
  rows,
  ...(fields && { fields })
})

/** A company with a help desk of its own. The operator makes them: no client can. */
const Tenant = defineModel('Tenant', Type.Object({ name: Type.String() }), {
  relations: { agents: { type: 'hasMany', model: 'Agent', foreignKey: 'tenantId' } }
})

/** Who answers tickets. Logging in comes from the base; agents see the names of their colleagues. */
const Agent = defineModel(
  'Agent',
  Type.Object({ name: Type.String(), tenantId: Type.Integer({ index: true, writeOnce: true }) }),
  {
    base: 'User',
    public: true,
    relations: { tenant: { type: 'belongsTo', model: 'Tenant' } },
    acls: [
      { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY', property: 'create' },
      agents(['find', 'findById'], 'tenant.agents', ['name'])
    ]
  }
)

const Ticket = defineModel(
  'Ticket',
  Type.Object({
    subject: Type.String({ minLength: 3, maxLength: 120 }),
    status: Type.Union([Type.Literal('open'), Type.Literal('waiting'), Type.Literal('closed')], {
      default: 'open',
      index: true
    }),
    priority: Type.Integer({ minimum: 1, maximum: 3, default: 2 }),
    minutes: Type.Integer({ minimum: 0, default: 0, description: 'worked on it' }),
    opened: Type.Date({ defaultFn: 'now', readOnly: true }),
    // A ticket stays in its tenant, also where somebody worked for two of them.
    tenantId: Type.Integer({ index: true, writeOnce: true }),
    agentId: Type.Optional(Type.Integer({ index: true }))
  }),
  {
    public: true,
    // Two agents change one ticket: the second one is told, and nothing is overwritten unseen.
    optimisticLocking: { requireIfMatch: true },
    lists: { limit: 20, maxLimit: 100 },
    aggregate: true,
    relations: {
      tenant: { type: 'belongsTo', model: 'Tenant' },
      agent: { type: 'belongsTo', model: 'Agent' },
      comments: { type: 'hasMany', model: 'Comment', onDelete: 'cascade' },
      tags: { type: 'hasAndBelongsToMany', model: 'Tag' }
    },
    acls: [
      closed,
      agents(
        [
          ...reads,
          'create',
          'patchAttributes',
          'aggregate',
          '__get__comments',
          '__create__comments',
          '__get__tags',
          '__link__tags',
          '__unlink__tags'
        ],
        'tenant.agents'
      ),
      // The screen on the operator's wall sums the tickets of all tenants, and sees none of them.
      { principalType: 'APP', principalId: 'wallboard', permission: 'ALLOW', property: 'aggregate' }
    ]
  }
)

const Comment = defineModel(
  'Comment',
  Type.Object({
    text: Type.String({ minLength: 1, maxLength: 2000 }),
    written: Type.Date({ defaultFn: 'now', readOnly: true }),
    ticketId: Type.Integer({ index: true, writeOnce: true }),
    // Who writes it: clients cannot claim to be somebody else.
    agentId: Type.Optional(Type.Integer({ fromCaller: 'userId' }))
  }),
  {
    public: true,
    relations: { ticket: { type: 'belongsTo', model: 'Ticket' }, agent: { type: 'belongsTo', model: 'Agent' } },
    acls: [
      closed,
      agents([...reads, 'create'], 'ticket.tenant.agents'),
      {
        principalType: 'ROLE',
        principalId: '$owner',
        permission: 'ALLOW',
        property: ['patchAttributes', 'deleteById'],
        rows: 'ticket.tenant.agents'
      }
    ]
  }
)

const Tag = defineModel(
  'Tag',
  Type.Object({ name: Type.String({ minLength: 1 }), tenantId: Type.Integer({ index: true, writeOnce: true }) }),
  {
    public: true,
    relations: { tenant: { type: 'belongsTo', model: 'Tenant' } },
    indexes: { nameOfTenant: { keys: { tenantId: 1, name: 1 }, options: { unique: true } } },
    acls: [closed, agents([...reads, 'create'], 'tenant.agents')]
  }
)

/** Everything the help desk stores, but for users' tokens and the tables of OAuth 2.0. */
export const models = { Tenant, Agent, Ticket, Comment, Tag }

declare module '@modelwire/core' {
  /** Makes `app.models.Ticket` and the others known to TypeScript. */
  interface Models extends ModelsOf<typeof models> {}
}
