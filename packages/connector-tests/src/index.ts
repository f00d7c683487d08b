export { all, any, conditionsOn, filterOf, none, type Conditions } from './conditions.ts'
export { connectorTests, type ConnectorTestsOptions } from './connector-tests.ts'
export { defineFixtureModels, items, type FixtureModels } from './fixtures.ts'
export { sqlTests, type SqlTestsOptions } from './sql/sql-tests.ts'
