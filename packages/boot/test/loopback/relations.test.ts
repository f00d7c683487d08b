import t from 'tap'
import { answersAsLoopback } from './answers.ts'

const child = (name: string, foreignKey: string) => ({ type: 'hasMany', model: name, foreignKey })

t.test('a key that fields leaves out leads nowhere where the included records include others', async (t) => {
  const number = { n: 'number' }
  await answersAsLoopback(
    t,
    {
      Shop: { file: { properties: number, relations: { desks: child('Desk', 'shopId') } } },
      Desk: { file: { properties: number, relations: { pens: child('Pen', 'deskId') } } },
      Pen: { file: { properties: number } }
    },
    [
      ['POST /Shops [{"n":1},{"n":2}]', 200],
      ['POST /Desks [{"n":1,"shopId":1}]', 200],
      ['GET /Shops?filter={"fields":["n"],"include":"desks"}', 400],
      ['GET /Shops?filter={"fields":["n"],"include":{"relation":"desks","scope":{"limit":1}}}', 400],
      [
        'GET /Shops?filter={"fields":["n"],"include":{"desks":"pens"}}',
        200,
        [
          { n: 1, desks: [] },
          { n: 2, desks: [] }
        ]
      ],
      [
        'GET /Shops/1?filter={"fields":["n"],"include":{"relation":"desks","scope":{"fields":["n"],"include":"pens"}}}',
        200,
        { n: 1, desks: [] }
      ],
      ['GET /Shops/1?filter={"include":{"relation":"desks","scope":{"fields":["n"],"include":"pens"}}}', 400],
      [
        'GET /Shops/1?filter={"include":{"relation":"desks","scope":{"fields":["n","shopId"],"include":{"relation":"pens","scope":{"include":[]}}}}}',
        200,
        { n: 1, id: 1, desks: [{ n: 1, shopId: 1, pens: [] }] }
      ]
    ]
  )
})

const embedding = `module.exports = M => {
  const add = (name, work) => {
    M[name] = () => work().then(record => M.findById(record.id))
    M.remoteMethod(name, { http: { verb: 'get' }, returns: { type: 'Desk', root: true } })
  }
  add('newMany', () => { const d = new M({ n: 1 }); d.pens.build({ label: 'a' }); d.pens.build({ label: 'b' }); return d.save() })
  add('newOne', () => { const d = new M({ n: 2 }); d.lamp.build({ label: 'l' }); return d.save() })
  add('later', () => { const d = new M({ n: 3 }); const pen = d.pens.build({ label: 'a' }); pen.label = 'z'; return d.save() })
  add('unsaved', () => M.create({ n: 6 }).then(d => { d.pens.build({ label: 'a' }); return d.updateAttributes({ n: 7 }) }))
  add('stored', () => M.create({ n: 4 }).then(d => { d.lamp.build({ label: 'l' }); return d.save() }))
}`

t.test('what is built in a record is stored with it', async (t) => {
  const relations = {
    pens: { type: 'embedsMany', model: 'Part', property: '_pens' },
    lamp: { type: 'embedsOne', model: 'Part', property: '_lamp' }
  }
  const part = { file: { properties: { label: 'string' } }, config: { public: false } }
  await answersAsLoopback(
    t,
    { Desk: { file: { properties: { n: 'number' }, relations }, script: embedding }, Part: part },
    [
      [
        'GET /Desks/newMany',
        200,
        {
          n: 1,
          id: 1,
          _pens: [
            { label: 'a', id: 1 },
            { label: 'b', id: 2 }
          ]
        }
      ],
      ['GET /Desks/newOne', 200, { n: 2, id: 2, _pens: [], _lamp: { label: 'l' } }],
      ['GET /Desks/later', 200, { n: 3, id: 3, _pens: [{ label: 'z', id: 1 }] }],
      ['GET /Desks/stored', 200, { n: 4, id: 4, _pens: [], _lamp: { label: 'l' } }],
      ['POST /Desks {"n":5}', 200],
      ['POST /Desks/5/lamp {"label":"x"}', 200, { label: 'x' }],
      ['PUT /Desks/5/lamp {"label":"y"}', 200, { label: 'y' }],
      ['GET /Desks/5/lamp', 200, { label: 'y' }],
      ['GET /Desks/unsaved', 200, { n: 7, id: 6, _pens: [] }]
    ]
  )
})

t.test('generated ids have the type that the connector makes', async (t) => {
  const id = { type: 'string', id: true, generated: true }
  const own = { type: 'string', id: true, defaultFn: 'guid' }
  await answersAsLoopback(
    t,
    {
      Desk: { file: { properties: { id, n: 'number' } } },
      Free: { file: { properties: { id, n: 'number' }, forceId: false } },
      Own: { file: { properties: { id: own } } }
    },
    [
      ['POST /Desks {"n":1}', 200, { id: 1, n: 1 }],
      ['POST /Desks {"n":2}', 200, { id: 2, n: 2 }],
      ['PATCH /Desks/1 {"n":5}', 200, { id: 1, n: 5 }],
      ['PUT /Desks {"id":"1","n":6}', 200, { id: 1, n: 6 }],
      ['POST /Frees {"n":1}', 200, { id: 1, n: 1 }],
      ['POST /Frees {"id":"7","n":1}', 200, { id: 7, n: 1 }],
      ['POST /Frees {"n":1}', 200, { id: 8, n: 1 }],
      ['POST /Owns {"id":"x"}', 200, { id: 'x' }]
    ]
  )
})

t.test('text ids that are not generated are counted in memory', async (t) => {
  const id = { type: 'string', id: true }
  const models = {
    Desk: { file: { properties: { id, n: 'number' } } },
    Told: { file: { properties: { id: { ...id, generated: false } } } }
  }
  await answersAsLoopback(t, models, [
    ['POST /Desks {"n":1}', 200, { id: '1', n: 1 }],
    ['PUT /Desks {"n":2}', 200, { id: '2', n: 2 }],
    ['POST /Desks {"id":"5"}', 200, { id: '5' }],
    ['POST /Desks [{"n":3},{"id":"x"},{"n":4}]', 200, [{ id: '6', n: 3 }, { id: 'x' }, { id: '8', n: 4 }]],
    ['PATCH /Desks {"n":5}', 200, { id: '9', n: 5 }],
    ['POST /Desks {"id":"1e999"}', 200],
    ['POST /Desks {}', 200, { id: '11' }],
    ['POST /Tolds {}', 200, { id: '1' }]
  ])
})

t.test('an embedded record without an id is refused where nothing makes one', async (t) => {
  const relations = {
    notes: { type: 'embedsMany', model: 'Note', property: '_notes' },
    marks: { type: 'embedsMany', model: 'Mark', property: '_marks' }
  }
  const hidden = { public: false }
  const code = { type: 'string', id: true }
  await answersAsLoopback(
    t,
    {
      Desk: { file: { relations } },
      Note: { file: { properties: { label: 'string' } }, config: hidden },
      Mark: { file: { properties: { code, label: 'string' } }, config: hidden }
    },
    [
      ['POST /Desks {}', 200],
      ['POST /Desks/1/notes {"label":"x"}', 200, { label: 'x', id: 1 }],
      ['POST /Desks/1/marks {"code":"c"}', 200, { code: 'c' }],
      ['POST /Desks/1/marks {"code":"c"}', 422],
      ['POST /Desks/1/marks {"label":"x"}', 422],
      ['POST /Desks {"_marks":[{"label":"x"}]}', 422],
      ['POST /Desks {"_notes":[{"label":"x"}]}', 422],
      ['POST /Desks {"_marks":[{"code":"x"},{"code":"y"}]}', 200]
    ]
  )
})

t.test('idInjection takes no id away from the models of an application', async (t) => {
  const bare = { idInjection: false, properties: { label: 'string' } }
  const hidden = { public: false }
  const relations = {
    parts: { type: 'embedsMany', model: 'Part', property: '_parts' },
    marks: { type: 'embedsMany', model: 'Mark', property: '_marks' }
  }
  const models = {
    Desk: { file: { relations } },
    Part: { file: bare, config: hidden },
    Mark: { file: { ...bare, base: 'Model' }, config: { ...hidden, dataSource: 'none' } },
    Pen: { file: bare }
  }
  const server = await answersAsLoopback(
    t,
    models,
    [
      ['POST /Desks {}', 200],
      ['POST /Desks/1/parts {"label":"a"}', 200, { label: 'a', id: 1 }],
      ['POST /Desks/1/parts {"label":"b"}', 200, { label: 'b', id: 2 }],
      ['PATCH /Desks/1 {"_parts":[{"label":"a"}]}', 422],
      ['POST /Desks/1/marks {"label":"a"}', 200],
      ['POST /Desks/1/marks {"label":"b"}', 200],
      ['POST /Desks/1/marks {"id":7}', 200, { id: '7' }],
      ['POST /Pens {"label":"a"}', 200, { label: 'a', id: 1 }],
      ['PATCH /Pens/1 {"label":"b"}', 200, { label: 'b', id: 1 }]
    ],
    { 'server/datasources.json': { db: { connector: 'memory' }, none: { connector: 'transient' } } }
  )
  const { json } = await server.inject('/api/Desks/1/marks')
  t.match(json(), [{ id: /^[\da-f]{24}$/ }, { id: /^[\da-f]{24}$/ }, { id: '7' }])
})
