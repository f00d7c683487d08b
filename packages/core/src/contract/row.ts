/**
 * A stored record: a plain object with every declared property of the model as an own key in declared order (undefined if
 * it has no value), followed by undeclared ones.
 */
export type Row = Record<string, unknown>
/** The id of a record in its declared type, even if a database has its own id objects. */
export type Id = string | number | Date | Buffer | object
