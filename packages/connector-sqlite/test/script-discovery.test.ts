import t from 'tap'
import { runScript } from './fixtures/boot-with-sqlite.ts'

const seen: [string, string, unknown][] = [
  [
    'tables, columns and keys are discovered, with promises and callbacks',
    `const [error, tables] = await called(cb => db.discoverModelDefinitions({ views: true }, cb))
     const columns = await db.discoverModelProperties('Book')
     const keys = await db.discoverPrimaryKeys('Book', {})
     const foreign = await db.discoverForeignKeys('Book')
     const exported = await db.discoverExportedForeignKeys('author')
     return [error, tables.map(({ type, name }) => [type, name]), columns.map(({ columnName, type, nullable }) => [columnName, type, nullable]),
       keys.map(({ columnName, keySeq }) => [columnName, keySeq]), foreign.map(({ fkColumnName, pkTableName, pkColumnName }) => [fkColumnName, pkTableName, pkColumnName]),
       exported.map(({ fkTableName }) => fkTableName)]`,
    [
      null,
      [
        ['table', 'author'],
        ['table', 'book']
      ],
      [
        ['title', 'String', 'Y'],
        ['id', 'Number', 'N'],
        ['authorid', 'Number', 'Y']
      ],
      [['id', 1]],
      [['authorid', 'author', 'id']],
      ['book']
    ]
  ],
  [
    'a schema has names as LoopBack makes them, or as they are',
    `const schema = await db.discoverSchema('Book'), plain = await db.discoverSchema('Book', { nameMapper: null })
     return [schema.name, schema.options, Object.keys(schema.properties), schema.properties.id, Object.keys(plain.properties)]`,
    [
      'Book',
      { idInjection: false, sqlite3: { table: 'Book' } },
      ['title', 'id', 'authorid'],
      {
        type: 'Number',
        required: false,
        id: 1,
        generated: true,
        sqlite3: {
          columnName: 'id',
          dataType: 'integer',
          dataLength: null,
          dataPrecision: null,
          dataScale: null,
          nullable: 'N'
        }
      },
      ['title', 'id', 'authorid']
    ]
  ],
  [
    'schemas follow relations where they are asked to',
    `const schemas = await db.discoverSchemas('Book', { relations: true })
     return [Object.values(schemas).map(({ name }) => name), Object.values(schemas)[0].options.relations, Object.keys(await db.discoverSchemas('Book')).length]`,
    [['Book', 'Author'], { authorrel: { model: 'Author', type: 'belongsTo', foreignKey: 'authorid' } }, 1]
  ],
  [
    'models are built of tables that no model knows',
    `await db.connector.transaction(async () => {})
     await Author.create({ name: 'Ann' })
     const mapName = (kind, name) => (kind === 'table' ? 'Found' + name : name)
     const { FoundAuthor } = await db.discoverAndBuildModels('Author', { nameMapper: mapName, base: 'PersistedModel' })
     const found = await FoundAuthor.find({ where: { name: 'Ann' } })
     return [found.map(({ name, id }) => [name, id]), FoundAuthor.dataSource.name, app.models.FoundAuthor === FoundAuthor]`,
    [[['Ann', 1]], 'db', true]
  ],
  [
    'what is not there is told',
    `return [await code(db.discoverSchema('Nothing')), await code(db.discoverModelProperties()), (await called(cb => db.discoverSchemas('Nothing', cb)))[0].code]`,
    ['SCRIPT_ARGUMENT_INVALID', 'SCRIPT_ARGUMENT_INVALID', 'SCRIPT_ARGUMENT_INVALID']
  ]
]
for (const [what, script, expected] of seen) {
  void t.test(what, async (t) => {
    t.strictSame(await runScript(t, script), expected)
  })
}
