import { type AccessRule, defineModel, defineOperation, type ModelDefinition } from '@modelwire/core'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { openApiDocument, type OpenApiDocument, type OpenApiOptions, swaggerDocument } from '#src/index.ts'
import { cellar, makeApp, type TestOptions } from '../make-app.ts'

type Closing = Parameters<typeof makeApp>[0]

interface Operation {
  readonly parameters: readonly { name: string; schema?: object }[]
  readonly [key: string]: unknown
}

async function documentOf(
  t: Closing,
  models: readonly ModelDefinition[],
  { options, ...how }: TestOptions & { options?: OpenApiOptions } = {}
) {
  const document = openApiDocument(await makeApp(t, models, how), options)
  // Operations are objects with parameters; JSON leaves out what is undefined.
  const paths = JSON.parse(JSON.stringify(document.paths)) as Record<string, Record<string, Operation>>
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item)))
    Object.assign(operation, {
      parameters: operation.parameters.map((parameter) => shared(parameter, document.components)),
      ...(document.security && { security: operation['security'] ?? document.security })
    })
  const schemas = document.components['schemas'] ?? {}
  return { ...document, paths, schemas }
}

/** What a parameter refers to; itself where it does not. */
function shared<Part>(part: Part, { parameters = {} }: OpenApiDocument['components']): Part {
  const [, name] = /^#\/components\/parameters\/(.+)$/.exec(String(Object(part).$ref)) ?? []
  return name === undefined ? part : (parameters[name] as Part) // a parameter, too
}

const reference = (name: string): object => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: object): object => ({ 'application/json': { schema } })
const jsonText = (contentSchema: object): object => ({ type: 'string', contentSchema })

t.test('an operation has its arguments, answers and errors', async (t) => {
  const { paths, openapi, servers } = await documentOf(t, cellar)
  t.equal(openapi, '3.1.0')
  t.strictSame(servers, [{ url: '/api' }])
  t.match(paths['/Wines/{id}']?.['get'], {
    tags: ['Wine'],
    operationId: 'winesFindById',
    description: /\S/,
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'number' } },
      { name: 'filter', in: 'query', schema: jsonText(reference('WineSelection')) }
    ],
    responses: {
      200: { content: json(reference('Wine')) },
      404: { $ref: '#/components/responses/NotFound' },
      default: { $ref: '#/components/responses/Error' }
    }
  })
})

t.test('operations of a model: lists and records, methods of the application, relations', async (t) => {
  const own: ModelDefinition = {
    name: 'Wine',
    public: true,
    http: { path: 'v1/wines' },
    relations: { shelf: { type: 'belongsTo', model: 'Shelf' }, casks: { type: 'hasMany', model: 'Shelf' } },
    methods: { archive: { http: { verb: 'post', path: '/archive' } } }
  }
  const { paths } = await documentOf(t, [{ name: 'Shelf', public: true }, own])
  const places = Object.keys(paths)
  t.equal(places[0], '/Shelves')
  t.strictSame(places.slice(places.indexOf('/v1/wines')), [
    '/v1/wines',
    '/v1/wines/{id}',
    '/v1/wines/{id}/exists',
    '/v1/wines/{id}/replace',
    '/v1/wines/change-stream',
    '/v1/wines/count',
    '/v1/wines/findOne',
    '/v1/wines/replaceOrCreate',
    '/v1/wines/upsertWithWhere',
    '/v1/wines/archive',
    '/v1/wines/{id}/casks',
    '/v1/wines/{id}/casks/{fk}',
    '/v1/wines/{id}/casks/count',
    '/v1/wines/{id}/shelf'
  ])
  t.strictSame(Object.keys(paths['/v1/wines/{id}'] ?? {}), ['get', 'patch', 'put', 'delete', 'head'])
})

t.test('bodies say what of a record is wanted', async (t) => {
  const { paths, schemas } = await documentOf(t, cellar)
  const create = reference('WineNew')
  t.match(paths['/Wines']?.['post'], {
    requestBody: { content: json({ anyOf: [create, { type: 'array', items: create }] }) },
    responses: { 422: {} }
  })
  t.match(paths['/Wines/{id}']?.['patch'], { requestBody: { content: json(reference('WinePatch')) } })
  t.match(paths['/Wines/{id}']?.['put'], { requestBody: { content: json(reference('WineData')) } })
  t.match(paths['/Regions/{id}/wines']?.['post'], { requestBody: { content: json({ anyOf: [create] }) } })
  t.match(schemas['WineNew'], { required: ['name'] })
  t.notOk('id' in Object(Reflect.get(Object(schemas['WineNew']), 'properties')))
  t.notOk('required' in Object(schemas['WinePatch']))
})

t.test('records show what clients see, with related records', async (t) => {
  const { schemas } = await documentOf(t, cellar)
  t.match(schemas['Wine'], {
    description: 'A bottle',
    properties: {
      name: { type: 'string', maxLength: 40, description: 'what is on\nthe label' },
      year: { type: ['number', 'null'], minimum: 1900 },
      colour: { type: 'string', enum: ['red', 'white'], default: 'red' },
      region: { anyOf: [reference('Region'), { type: 'null' }] }
    },
    required: ['name', 'colour', 'id']
  })
  t.notOk('code' in Object(Reflect.get(Object(schemas['Wine']), 'properties')))
  t.match(schemas['Region'], { properties: { wines: { type: 'array', items: reference('Wine') } } })
})

t.test('filters know the properties and relations of their model', async (t) => {
  const { schemas } = await documentOf(t, cellar)
  t.match(schemas['WineFilter'], {
    properties: {
      where: reference('WineWhere'),
      limit: { type: 'integer' },
      include: { anyOf: [reference('WineInclude'), { items: reference('WineInclude') }] }
    }
  })
  t.match(schemas['WineInclude'], { anyOf: [{ enum: ['region'] }, { properties: { relation: { const: 'region' } } }] })
  t.match(schemas['WineWhere'], {
    properties: {
      name: reference('StringCondition'),
      year: reference('NumberCondition'),
      bottledOn: reference('DateCondition'),
      place: reference('GeoPointCondition'),
      grapes: reference('StringCondition'),
      meta: reference('AnyCondition'),
      and: { items: reference('WineWhere') }
    }
  })
  t.notOk('code' in Object(Reflect.get(Object(schemas['WineWhere']), 'properties')))
})

t.test('counts of relations are asked by conditions on the related records', async (t) => {
  const { paths } = await documentOf(t, cellar)
  const where = paths['/Regions/{id}/wines/count']?.['get']?.parameters.find(({ name }) => name === 'where')
  t.match(where, { schema: jsonText(reference('WineWhere')) })
})

t.test('nobody is asked for a token where nothing is guarded', async (t) => {
  const { paths, components } = await documentOf(t, cellar)
  t.notOk('securitySchemes' in components)
  t.notOk('security' in Object(paths['/Wines']?.['get']))
})

t.test('guarded operations ask for a token, open ones for none', async (t) => {
  const [wine, region] = cellar
  const acls: AccessRule[] = [
    { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
    { principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW', property: 'find' },
    { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', property: 'create' }
  ]
  const models = [
    { ...wine, name: 'Wine', acls },
    { ...region, name: 'Region' }
  ]
  const { paths, components } = await documentOf(t, models, { guarded: true })
  t.match(components['securitySchemes'], { accessToken: { type: 'http', scheme: 'bearer' } })
  const asked = (verb: string): unknown => paths['/Wines']?.[verb]?.['security']
  const token = { accessToken: [] }
  t.strictSame(['post', 'get'].map(asked), [[token], [{}, token]])
})

t.test(
  'what operations share is there once, but for bodies and answers, whose types generators look for in place',
  async (t) => {
    const { components } = openApiDocument(await makeApp(t, cellar, { guarded: true }))
    const names = [
      'Prefer',
      'RegionFilter',
      'RegionId',
      'WineFilter',
      'WineId',
      'WineSelection',
      'WineWhere',
      'Wine-fk'
    ]
    for (const name of names) t.match(Object.keys(components['parameters'] ?? {}).join(), name)
    t.match(components['headers'], { TotalCount: {}, Link: {} })
    const document = openApiDocument(await makeApp(t, cellar))
    for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item)))
      t.notMatch(operation, { requestBody: { $ref: String } })
  }
)

t.test('ids in paths are of the type of the property', async (t) => {
  const Shelf = defineModel('Shelf', Type.Object({ id: Type.Integer({ id: true, description: 'on the door' }) }), {
    public: true,
    relations: { wines: { type: 'hasMany', model: 'Wine' } }
  })
  const { paths } = await documentOf(t, [...cellar, Shelf])
  t.match(paths['/Shelves/{id}']?.['get']?.parameters[0], { name: 'id', schema: { type: 'integer' } })
  t.match(paths['/Shelves/{id}/wines/{fk}']?.['get']?.parameters, [
    { name: 'id', description: 'Id of the Shelf', schema: { type: 'integer' } },
    { name: 'fk', description: 'Id of the Wine', schema: { type: 'number' } }
  ])
})

t.test('operations that rules deny to everybody are left out', async (t) => {
  const rule = (principalId: string, permission: 'ALLOW' | 'DENY', property: string): AccessRule => ({
    principalType: 'ROLE',
    principalId,
    permission,
    property
  })
  const acls = [
    rule('$everyone', 'DENY', '*'),
    rule('$authenticated', 'ALLOW', 'findById'),
    // Lists name no record that could be the caller's own.
    rule('$owner', 'ALLOW', 'find'),
    rule('$owner', 'ALLOW', 'deleteById')
  ]
  const { paths } = await documentOf(t, [{ name: 'Note', public: true, acls }], { guarded: true })
  const shown = Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((verb) => `${verb} ${path}`))
  t.strictSame(shown, ['get /Notes/{id}', 'delete /Notes/{id}'])
})

t.test('OAuth 2.0 is a scheme of its own where the options tell of it', async (t) => {
  const flows = { clientCredentials: { tokenUrl: 'https://id.example.com/token', scopes: { read: 'see wines' } } }
  const { components, paths } = await documentOf(t, cellar, { options: { oauth2: { flows } } })
  t.strictSame(components['securitySchemes'], { oauth2: { type: 'oauth2', flows } })
  t.strictSame(paths['/Wines']?.['get']?.['security'], [{}, { oauth2: [] }])
})

t.test('schemas of TypeBox are told as they are', async (t) => {
  const Shelf = defineModel(
    'Shelf',
    Type.Object({
      label: Type.String({ minLength: 2, pattern: '^[A-Z]' }),
      sizes: Type.Array(Type.Object({ width: Type.Integer({ minimum: 1 }) }), { minItems: 1 })
    }),
    { public: true }
  )
  const prepare: TestOptions['prepare'] = (app) => {
    defineOperation(app.models.get('Shelf'), {
      name: 'tidy',
      accepts: { hard: Type.Boolean(), note: Type.Optional(Type.String()) },
      returns: Type.Object({ moved: Type.Integer({ minimum: 0 }) }),
      description: 'Tidy up',
      handler: () => ({ moved: 0 })
    })
  }
  const { paths, schemas } = await documentOf(t, [Shelf], { prepare })
  t.match(schemas['Shelf'], {
    properties: {
      label: { type: 'string', minLength: 2, pattern: '^[A-Z]' },
      sizes: { type: 'array', minItems: 1, items: { properties: { width: { type: 'integer', minimum: 1 } } } }
    }
  })
  t.match(paths['/Shelves/tidy']?.['post'], {
    summary: 'Tidy up',
    requestBody: { content: json({ properties: { hard: { type: 'boolean' } }, required: ['hard'] }) },
    responses: { 200: { content: json({ properties: { moved: { type: 'integer', minimum: 0 } } }) } }
  })
})

t.test('answers are offered in the types that rest offers, errors in its form', async (t) => {
  const { paths, schemas } = await documentOf(t, cellar, {
    rest: { answersXml: true, errors: { rootProperty: false } }
  })
  t.match(paths['/Wines']?.['get'], {
    responses: { 200: { content: { 'application/json': {}, 'application/xml': {}, 'text/xml': {} } } }
  })
  t.match(schemas['Error'], { properties: { statusCode: {}, message: {} } })
})

t.test('documents have the status that creations are answered with', async (t) => {
  const app = await makeApp(t, cellar, { rest: { createdStatus: 201 } })
  const statuses = (document: object, path: string): string[] => {
    const { paths } = document as { paths: Record<string, { post: { responses: object } }> } // both kinds have these
    return Object.keys(paths[path]?.post.responses ?? {}).filter((status) => status.startsWith('2'))
  }
  for (const document of [
    openApiDocument(app),
    ...app.models.mounts.map((mount) => swaggerDocument(app.models, mount))
  ]) {
    t.strictSame(statuses(document, '/Wines'), ['201'])
    t.strictSame(statuses(document, '/Regions/{id}/wines'), ['201'])
    t.strictSame(statuses(document, '/Wines/upsertWithWhere'), ['200'])
  }
  await app.inject({ method: 'POST', url: '/api/Regions', payload: { code: 'a' } })
  const made = await app.inject({ method: 'POST', url: '/api/Regions/a/wines', payload: { name: 'b' } })
  t.strictSame([made.statusCode, made.headers.location], [201, '/api/Regions/a/wines/1'])
})

t.test('problem details have a schema where errors are negotiated, beside the one type of an error', async (t) => {
  const documented = async (errors: object): Promise<unknown> => {
    const { components } = await documentOf(t, cellar, { rest: { errors } })
    const answer = components['responses']?.['NotFound']
    return [Object.keys(Object(Object(answer).content)), components['schemas']?.['Problem'] !== undefined]
  }
  t.strictSame(await documented({}), [['application/json'], true])
  t.strictSame(await documented({ negotiateContentType: false }), [['application/json'], false])
})

t.test('models with versions have entity tags and preconditions', async (t) => {
  const versioned: ModelDefinition = { name: 'Wine', public: true, optimisticLocking: { requireIfMatch: true } }
  const { paths, schemas } = await documentOf(t, [versioned], { rest: { listETags: true } })
  const part = (path: string, verb: string): object => {
    const { parameters, responses } = paths[path]?.[verb] ?? { parameters: [], responses: {} }
    const answer = Object(Object(responses)[200])
    return {
      conditions: parameters.filter(({ name }) => name.startsWith('If-')).map(({ name }) => name),
      tags: Object.keys(Object(answer.headers)),
      statuses: ['304', '412', '428'].filter((status) => status in Object(responses))
    }
  }
  t.strictSame(part('/Wines/{id}', 'get'), { conditions: ['If-None-Match'], tags: ['ETag'], statuses: ['304'] })
  const listHeaders = ['ETag', 'X-Total-Count', 'Link']
  t.strictSame(part('/Wines', 'get'), { conditions: ['If-None-Match'], tags: listHeaders, statuses: ['304'] })
  // It gives a record, and no page: neither how many there are nor where others are.
  t.strictSame(part('/Wines/findOne', 'get'), { conditions: ['If-None-Match'], tags: ['ETag'], statuses: ['304'] })
  t.strictSame(part('/Wines/{id}', 'patch'), { conditions: ['If-Match'], tags: ['ETag'], statuses: ['412', '428'] })
  t.strictSame(part('/Wines', 'post'), { conditions: [], tags: ['ETag'], statuses: [] })
  t.match(schemas['Wine'], { properties: { version: { type: ['string', 'null'], readOnly: true } } })
})

t.test('options say where the API is', async (t) => {
  const at = async (options: OpenApiOptions, prefix = '/api') =>
    (await documentOf(t, cellar, { options, prefix })).servers[0]?.url
  t.equal(await at({ host: 'api.example.com', protocol: 'https' }), 'https://api.example.com/api')
  t.equal(await at({ basePath: '/v2/' }), '/v2')
  t.equal(await at({ api: '/other' }, '/other'), '/other')
})

t.test('there is no document of an API that is not mounted', async (t) => {
  const app = await makeApp(t, cellar)
  t.throws(() => openApiDocument(app, { api: '/other' }), { code: 'API_NOT_MOUNTED' })
})

t.test('schemas of data say what checks require, unless they read hidden properties', async (t) => {
  const Span = defineModel('Span', Type.Object({ from: Type.Integer(), to: Type.Integer(), cost: Type.Integer() }), {
    public: true,
    hidden: ['cost'],
    checks: {
      ordered: { where: { to: { gte: { property: 'from' } } } },
      secret: { where: { cost: { gt: 0 } }, message: 'must cost' }
    }
  })
  const { schemas } = await documentOf(t, [Span])
  t.match(schemas['SpanNew'], { description: 'A new Span\n\n`to` must be at least from.' })
  t.notMatch(JSON.stringify(schemas), /must cost/)
})
