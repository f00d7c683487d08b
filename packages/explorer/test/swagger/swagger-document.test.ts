import type { ModelDefinition } from '@modelwire/core'
import t from 'tap'
import { swaggerDocument, type SwaggerOptions } from '#src/index.ts'
import { cellar, makeApp } from '../make-app.ts'

interface Shown {
  readonly paths: Record<string, Record<string, Record<string, unknown>>>
  readonly definitions: Record<string, Record<string, unknown>>
  readonly [key: string]: unknown
}

async function documentOf(
  t: { teardown: (close: () => unknown) => void },
  models: readonly ModelDefinition[],
  options: SwaggerOptions = {}
): Promise<Shown> {
  const app = await makeApp(t, models)
  const [mount] = app.models.mounts
  if (mount === undefined) throw new Error('rest told of no mount')
  // What a client gets: the document as JSON.
  return JSON.parse(JSON.stringify(swaggerDocument(app.models, mount, options))) as Shown
}

t.test('an operation is shown as LoopBack shows it', async (t) => {
  const { paths } = await documentOf(t, cellar)
  t.strictSame(paths['/Wines/{id}/exists']?.['get'], {
    tags: ['Wine'],
    summary: 'Check whether a model instance exists in the data source.',
    operationId: 'Wine.exists__get_Wines_{id}_exists',
    parameters: [{ name: 'id', in: 'path', description: 'Model id', required: true, type: 'string', format: 'JSON' }],
    responses: {
      200: {
        description: 'Request was successful',
        schema: { type: 'object', properties: { exists: { type: 'boolean' } } }
      }
    },
    deprecated: false
  })
})

t.test('a relation is told by its type, and nested paths have the keys of both', async (t) => {
  const { paths } = await documentOf(t, cellar)
  t.match(paths['/Wines/{id}/region']?.['get'], {
    summary: 'Fetches belongsTo relation region.',
    operationId: 'Wine.prototype.__get__region'
  })
  t.match(paths['/Regions/{id}/wines/{fk}']?.['put'], {
    parameters: [
      { name: 'id', description: 'Region id' },
      { name: 'fk', description: 'Foreign key for wines' },
      { name: 'data', schema: { $ref: '#/definitions/Wine' } }
    ]
  })
})

t.test('models that are not public have no paths, and no definition unless something refers to it', async (t) => {
  const { paths, definitions, tags } = await documentOf(t, cellar)
  t.notOk(Object.keys(paths).some((path) => path.startsWith('/Stock')))
  t.notOk('Stock' in definitions)
  t.strictSame(tags, [{ name: 'Wine', description: 'A bottle' }, { name: 'Region' }])
})

t.test('properties have the types and keywords of Swagger 2; hidden ones are left out', async (t) => {
  const { definitions } = await documentOf(t, cellar)
  t.strictSame(definitions['Wine'], {
    description: 'A bottle',
    properties: {
      name: { maxLength: 40, description: 'what is on\nthe label', type: 'string' },
      year: { minimum: 1900, type: 'number', format: 'double' },
      grapes: { type: 'array', items: { type: 'string' } },
      bottledOn: { type: 'string', format: 'date-time' },
      colour: { default: 'red', enum: ['red', 'white'], type: 'string' },
      place: { $ref: '#/definitions/GeoPoint' },
      meta: { type: 'object' },
      id: { type: 'number', format: 'double' },
      regionId: { type: 'string' }
    },
    required: ['name'],
    additionalProperties: false
  })
})

t.test('generateOperationScopedModels shows what a client may send of a new record', async (t) => {
  const { paths, definitions } = await documentOf(t, cellar, { generateOperationScopedModels: true })
  t.match(paths['/Wines']?.['post'], { parameters: [{ schema: { $ref: '#/definitions/$new_Wine' } }] })
  t.notOk('id' in Object(definitions['$new_Wine']?.['properties']))
  t.match(paths['/Regions']?.['post'], { parameters: [{ schema: { $ref: '#/definitions/Region' } }] })
})

t.test('generateRelationProperties shows records with related ones', async (t) => {
  const { paths, definitions } = await documentOf(t, cellar, { generateRelationProperties: true })
  t.match(paths['/Wines']?.['get'], {
    responses: { 200: { schema: { items: { $ref: '#/definitions/WineWithRelations' } } } }
  })
  t.match(definitions['RegionWithRelations'], {
    properties: { wines: { type: 'array', items: { $ref: '#/definitions/WineWithRelations' } } }
  })
})

t.test('the top of the document is that of the options, then of package.json, then of LoopBack', async (t) => {
  const packageInfo = { name: 'cellar', version: '2.1.0', description: 'All wines' }
  const bare = await documentOf(t, cellar)
  t.match(bare, { info: { title: 'LoopBack Application', version: '1.0.0' }, basePath: '/api', swagger: '2.0' })
  const packaged = await documentOf(t, cellar, { packageInfo })
  t.strictSame(packaged['info'], { title: 'cellar', version: '2.1.0', description: 'All wines' })
  const own = await documentOf(t, cellar, {
    packageInfo,
    apiInfo: { title: ['two', 'lines'], version: 3, contact: { name: 'Ann' } },
    host: 'api.example.com',
    protocol: 'https',
    basePath: '/v2/',
    extensions: { securityDefinitions: { key: { type: 'apiKey' } }, schemes: ['http'] }
  })
  t.match(own, {
    info: { title: 'two\nlines', version: '3', description: 'All wines', contact: { name: 'Ann' } },
    host: 'api.example.com',
    schemes: ['http'],
    basePath: '/v2',
    securityDefinitions: { key: { type: 'apiKey' } }
  })
})

/** A model with one remote method, which is shown at `/Bench/run`. */
function withMethod(method: Record<string, unknown>): ModelDefinition[] {
  return [
    { name: 'Tool', public: false, properties: { size: 'number' } },
    { name: 'Bench', base: 'Model', plural: 'Bench', public: true, methods: { run: method } }
  ]
}

const methods: readonly [string, Record<string, unknown>, string, object][] = [
  ['a method for all verbs is a POST', { returns: { arg: 'x', type: 'string' } }, 'post', { parameters: [] }],
  [
    'arguments of a GET are in the query, structures as JSON',
    { http: { verb: 'get' }, accepts: [{ arg: 'a', type: 'number' }, { arg: 'b', type: ['string'] }, { arg: 'c' }] },
    'get',
    {
      parameters: [
        { name: 'a', in: 'query', type: 'number', format: 'double' },
        { name: 'b', in: 'query', type: 'string', format: 'JSON' },
        { name: 'c', in: 'query', type: 'string', format: 'JSON' }
      ]
    }
  ],
  [
    'arguments that the server works out are not shown',
    {
      accepts: [
        { arg: 'req', type: 'object', http: { source: 'req' } },
        { arg: 'options', type: 'object', http: 'optionsFromRequest' },
        { arg: 'made', type: 'object', http: () => 1 },
        { arg: 'quiet', type: 'string', documented: false },
        { arg: 'form', type: 'string', http: { source: 'form' }, required: true }
      ]
    },
    'post',
    { parameters: [{ name: 'form', in: 'formData', required: true, type: 'string' }] }
  ],
  [
    'a file is uploaded by a form',
    { accepts: { arg: 'picture', type: 'file' } },
    'post',
    { parameters: [{ name: 'picture', in: 'formData', type: 'file', allowMultiple: false }] }
  ],
  [
    'a body has a schema, of anonymous objects as well',
    { accepts: { arg: 'tool', type: { size: 'number', tags: ['string'] }, http: { source: 'body' } } },
    'post',
    {
      parameters: [
        {
          in: 'body',
          schema: {
            type: 'object',
            properties: { size: { type: 'number' }, tags: { type: 'array', items: { type: 'string' } } }
          }
        }
      ]
    }
  ],
  [
    'statuses, notes, declared errors and examples are told',
    {
      description: ['a', 'b'],
      notes: 'with care',
      http: { verb: 'get', status: 202, errorStatus: 418 },
      returns: { arg: 'tool', type: 'Tool', root: true, example: { size: 1 } },
      errors: [{ code: 409, message: 'in use', responseModel: 'Tool' }]
    },
    'get',
    {
      summary: 'a\nb',
      description: 'with care',
      responses: {
        202: { schema: { $ref: '#/definitions/Tool' }, examples: { 'application/json': { size: 1 } } },
        409: { description: 'in use', schema: { $ref: '#/definitions/Tool' } },
        418: { description: 'Unknown error' }
      }
    }
  ],
  [
    'headers and statuses are no part of the answer',
    {
      http: { verb: 'get' },
      returns: [
        { arg: 'code', type: 'number', http: { target: 'status' } },
        { arg: 'tools', type: ['Tool'] },
        { arg: 'odd', type: 'Unknown', required: true }
      ]
    },
    'get',
    {
      responses: {
        200: {
          schema: {
            properties: { tools: { items: { $ref: '#/definitions/Tool' } }, odd: { type: 'object' } },
            required: ['odd']
          }
        }
      }
    }
  ]
]

for (const [name, method, verb, expected] of methods) {
  t.test(`remote methods: ${name}`, async (t) => {
    const { paths } = await documentOf(t, withMethod(method))
    t.strictSame(Object.keys(paths['/Bench/run'] ?? {}), [verb])
    t.match(paths['/Bench/run']?.[verb], expected)
  })
}

t.test('a method that is not documented is not shown', async (t) => {
  const { paths, tags } = await documentOf(t, withMethod({ documented: false }))
  t.strictSame([paths, tags], [{}, []])
})

t.test('every reference leads to a definition', async (t) => {
  const models: ModelDefinition[] = [
    { name: 'Odd', public: true, properties: { a: 'text', b: 'json', c: 'DateString', d: [['any']], e: 'Inner' } },
    { name: 'Inner', base: 'Model', public: false, properties: { f: 'buffer' } }
  ]
  const document = await documentOf(t, models)
  const references = JSON.stringify(document).matchAll(/"#\/definitions\/([^"]+)"/g)
  for (const [, name = ''] of references) t.ok(name in document.definitions, name)
})
