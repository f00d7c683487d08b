import { type SqlCase, book, openModels } from './sql-case.ts'

/** How tables are made and kept up. */
export const migrationCases: readonly SqlCase[] = [
  {
    name: 'a migration adds columns and indexes and keeps records',
    run: async (t, options) => {
      const first = await openModels(t, options)
      await first.registry.get('SqlBook').create({ title: 'kept' })
      const grown = {
        ...book,
        properties: {
          ...book.properties,
          subtitle: { type: 'string', index: true },
          year: { type: 'number', required: true }
        },
        indexes: { sql_book_pages: { keys: { pages: 1, title: -1 } }, sql_book_year: { year: 1 } }
      }
      const { registry, statements } = await openModels(t, options, [grown], { empty: false })
      t.match(await registry.get('SqlBook').find(), [{ title: 'kept', subtitle: null }])
      await registry.get('SqlBook').create({ title: 'new', subtitle: 'x', year: 2 })
      statements.length = 0
      const model = registry.typeOf('SqlBook')
      await model.dataSource?.connector.migrate?.([model], { empty: false })
      t.notOk(
        statements.some((statement) => /^(?:create|alter)/i.test(statement)),
        'a second one finds nothing to do'
      )
    }
  },
  {
    name: 'tables and columns have the names that the model file says',
    run: async (t, options) => {
      const mapped = {
        name: 'SqlMapped',
        [options.mappingKey]: { table: 'Weird Table' },
        properties: {
          id: { type: 'number', id: true, generated: true },
          fullName: {
            type: 'string',
            [options.mappingKey]: { columnName: 'Full "Name`', dataType: 'VARCHAR', dataLength: 20 }
          }
        }
      }
      const { registry, statements } = await openModels(t, options, [mapped])
      const Mapped = registry.get('SqlMapped')
      await Mapped.create({ fullName: 'Ann' })
      t.match(await Mapped.find({ where: { fullName: 'Ann' }, order: 'fullName' }), [{ fullName: 'Ann' }])
      t.match(statements[0], /Weird Table/)
    }
  },
  {
    name: 'a mapping that is none is refused',
    run: async (t, options) => {
      const mapped = {
        name: 'SqlRefused',
        properties: { a: { type: 'string', [options.mappingKey]: { dataType: 'TEXT); DROP TABLE x; --' } } }
      }
      await t.rejects(openModels(t, options, [mapped]), { code: 'MODEL_DEFINITION_INVALID' })
    }
  }
]
