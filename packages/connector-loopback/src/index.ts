export {
  ConnectorFailed,
  ConnectorInvalid,
  ConnectorTimeout,
  ConstraintViolated,
  IsolationUnknown,
  TransactionConflict,
  TransactionOver,
  ValueRefused
} from './errors.ts'
export { loopback, loopback as default } from './loopback.ts'
