import { defineModel, type ModelDefinition } from '@modelwire/core'
import { compileErrors, validate } from '@readme/openapi-parser'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { modelTypes, openApiDocument, swaggerDocument } from '#src/index.ts'
import { makeApp } from '../make-app.ts'

type Schemas = Record<
  string,
  { properties: Record<string, Record<string, unknown>>; required?: string[]; description?: string } | undefined
>

const ticket = defineModel(
  'Ticket',
  Type.Object({
    title: Type.String(),
    state: Type.Optional(Type.String({ readOnly: true, description: 'where it is' })),
    number: Type.Optional(Type.Integer({ writeOnce: true, description: 'on the paper' })),
    place: Type.Optional(Type.String({ writeOnce: true })),
    ownerId: Type.Optional(Type.Integer({ fromCaller: 'userId' })),
    pin: Type.String({ hidden: true }),
    margin: Type.Optional(Type.Number({ hidden: true })),
    audit: Type.Optional(Type.String({ hidden: true, readOnly: true }))
  }),
  { public: true }
)

const everyone = { principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW' } as const
const person: ModelDefinition = {
  name: 'Person',
  public: true,
  description: 'Somebody',
  properties: { name: { type: 'string', required: true }, salary: { type: 'number', required: true } },
  acls: [{ ...everyone, fields: ['name'] }]
}
const account: ModelDefinition = { name: 'Account', base: 'User', public: true }

async function documentsOf(models: readonly ModelDefinition[], guarded: boolean, test: Parameters<typeof makeApp>[0]) {
  const prepare: NonNullable<Parameters<typeof makeApp>[2]>['prepare'] = (app) => {
    if (guarded) app.models.define(account)
  }
  const app = await makeApp(test, models, { guarded, prepare })
  const openapi = JSON.parse(JSON.stringify(openApiDocument(app))) as Record<string, unknown> // a document is an object
  const { schemas } = openapi['components'] as { schemas: Schemas } // it has schemas
  return { app, openapi, schemas }
}

t.test('bodies hold what clients can set, answers what they can see', async (t) => {
  const { schemas } = await documentsOf([ticket], false, t)
  const namesOf = (name: string): string[] => Object.keys(schemas[name]?.properties ?? {})
  t.strictSame(namesOf('Ticket'), ['title', 'state', 'number', 'place', 'ownerId', 'id'])
  t.strictSame(namesOf('TicketNew'), ['title', 'number', 'place', 'pin'])
  t.strictSame(namesOf('TicketData'), ['title', 'number', 'place', 'pin', 'id'])
  t.strictSame(namesOf('TicketPatch'), ['title', 'number', 'place', 'id'])
  t.strictSame(schemas['TicketNew']?.required, ['title', 'pin'])
  t.match(schemas['Ticket']?.properties, {
    state: { readOnly: true },
    ownerId: { readOnly: true },
    id: { readOnly: true }
  })
  for (const name of ['title', 'number']) t.notOk('readOnly' in (schemas['Ticket']?.properties[name] ?? {}), name)
  t.match(schemas['TicketNew']?.properties, {
    number: { description: /^on the paper\n\nIt cannot be changed once it is set\.$/ },
    place: { description: /^It cannot be changed once it is set\.$/ },
    pin: { writeOnly: true }
  })
})

t.test('the password of an account is sent when it is made, and in no answer', async (t) => {
  const { schemas } = await documentsOf([], true, t)
  t.match(schemas['AccountNew']?.properties, { password: { writeOnly: true }, email: {} })
  for (const name of ['Account', 'AccountPatch']) t.notOk('password' in (schemas[name]?.properties ?? {}), name)
  for (const name of ['AccountNew', 'AccountPatch']) t.notOk('verificationToken' in (schemas[name]?.properties ?? {}))
})

t.test('rules about properties are told, and what they may keep back is not promised', async (t) => {
  const { schemas, app } = await documentsOf([person], true, t)
  t.equal(schemas['Person']?.description, 'Somebody\n\nWhich properties are present depends on the caller.')
  t.strictSame(schemas['Person']?.required, ['id'])
  t.match(schemas['PersonPatch']?.description, /Which properties may be set depends on the caller\.$/)
  t.match(modelTypes(app, { for: 'clients' }), /salary\?: number\n/)
  const open = await documentsOf([{ ...person, acls: [everyone] }], true, t)
  t.equal(open.schemas['Person']?.description, 'Somebody')
  t.strictSame(open.schemas['Person']?.required, ['name', 'salary', 'id'])
})

t.test('bodies leave out what rules keep everybody from setting that way', async (t) => {
  const role = (principalId: string, more: object): object => ({ principalType: 'ROLE', principalId, ...more })
  const invoice: ModelDefinition = {
    name: 'Invoice',
    public: true,
    properties: { text: 'string', sum: { type: 'number', required: true }, paid: 'boolean', audit: 'string' },
    acls: [
      role('$everyone', { permission: 'DENY' }),
      role('$authenticated', { permission: 'ALLOW', property: 'create', fields: { write: ['text', 'sum'] } }),
      role('clerk', { permission: 'ALLOW', property: ['create'], fields: { except: ['paid', 'audit'] } }),
      role('$authenticated', { permission: 'ALLOW', property: 'patchAttributes', fields: { write: ['text'] } }),
      role('clerk', { permission: 'ALLOW', property: 'patchAttributes', fields: { write: ['paid'] } })
    ]
  }
  const namesOf = async (model: ModelDefinition): Promise<string[][]> => {
    const { schemas } = await documentsOf([model], true, t)
    return ['InvoiceNew', 'InvoicePatch'].map((name) => Object.keys(schemas[name]?.properties ?? {}))
  }
  t.strictSame(await namesOf(invoice), [
    ['text', 'sum'],
    ['text', 'paid', 'id']
  ])
  const all = role('auditor', { permission: 'ALLOW', property: ['create', 'patchAttributes'] })
  t.strictSame(await namesOf({ ...invoice, acls: [...(invoice.acls ?? []), all] }), [
    ['text', 'sum', 'paid', 'audit'],
    ['text', 'sum', 'paid', 'audit', 'id']
  ])
})

t.test('what a mixin sets is in answers alone, for clients never set it', async (t) => {
  const note: ModelDefinition = {
    name: 'Note',
    public: true,
    properties: { text: 'string' },
    mixins: { TimeStamp: true }
  }
  const { schemas, app } = await documentsOf([note], false, t)
  t.match(schemas['Note']?.properties, { createdAt: { readOnly: true }, updatedAt: { readOnly: true } })
  for (const name of ['NoteNew', 'NoteData', 'NotePatch'])
    t.strictSame(
      Object.keys(schemas[name]?.properties ?? {}).filter((each) => each.endsWith('At')),
      [],
      name
    )
  t.match(modelTypes(app, { for: 'clients' }), /readonly updatedAt\?: string \| null/)
})

t.test('these documents are valid', async (t) => {
  const { openapi } = await documentsOf([ticket, person], true, t)
  t.match(await new Validator().validate(structuredClone(openapi)), { valid: true })
  const judged = await validate(structuredClone(openapi) as unknown as Parameters<typeof validate>[0])
  t.equal(judged.valid, true, judged.valid ? '' : compileErrors(judged))
})

t.test('Swagger and the types of clients mark what is read-only', async (t) => {
  const { app } = await documentsOf([ticket], false, t)
  const [mount] = app.models.mounts
  if (mount === undefined) throw new TypeError('rest is mounted')
  const { definitions } = swaggerDocument(app.models, mount) as unknown as { definitions: Schemas } // of a document
  t.match(definitions['Ticket']?.properties, { state: { readOnly: true }, ownerId: { readOnly: true } })
  t.notOk('readOnly' in (definitions['Ticket']?.properties['title'] ?? {}))
  t.match(modelTypes(app, { for: 'clients' }), /readonly state\?: string \| null/)
  t.notMatch(modelTypes(app), /readonly/)
})

t.test('an id of several properties is a list in the path, which clients join by commas', async (t) => {
  const schema = Type.Object({
    shop: Type.String({ id: true }),
    year: Type.Integer({ id: true, generated: false }),
    amount: Type.Number()
  })
  const { openapi, schemas } = await documentsOf([defineModel('Price', schema, { public: true })], false, t)
  const { parameters } = openapi['components'] as { parameters: Record<string, unknown> } // it has parameters
  t.match(parameters['PriceId'], {
    name: 'id',
    in: 'path',
    style: 'simple',
    explode: false,
    description: /shop and year/,
    schema: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], minItems: 2, maxItems: 2 }
  })
  t.strictSame(schemas['Price']?.required, ['shop', 'year', 'amount'])
  const checked = await validate(openapi as unknown as Parameters<typeof validate>[0]) // made to be one
  t.equal(checked.valid, true, checked.valid ? '' : compileErrors(checked))
})
