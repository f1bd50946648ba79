import { type Diagnostic, DiagnosticsError } from "../../core/model/diagnostic.ts";
import { printable } from "../../core/model/words.ts";
import { isRefusal } from "../../core/state/pg/pg-connection.ts";
import { identifier } from "../../core/state/pg/pg-problems.ts";
import type { PgServer } from "../../core/state/pg/pg-server.ts";
import { DATABASE_VARIABLE } from "../../operations/configuration/environment-names.ts";
import { FleetMissing, FleetUnavailable } from "../fleet-store.ts";

const DENIED = "42501";

/** An error of the database of the fleet, for people; any other error as it is. */
export function databaseProblem(server: PgServer, error: unknown): unknown {
  const found =
    error instanceof FleetMissing
      ? fleetMissing(error)
      : error instanceof FleetUnavailable
        ? databaseAway(error)
        : isRefusal(error)
          ? accessDenied(server, error)
          : null;
  return found ? new DiagnosticsError([found], { cause: error }) : error;
}

export function databaseMissing(): Diagnostic {
  return {
    code: "fleet_database_missing",
    severity: "error",
    summary: "No database",
    detail: "The controllers of a fleet share a PostgreSQL database, and none is named.",
    hint: `Pass --database postgres://USER@HOST/DATABASE, or set ${DATABASE_VARIABLE}. A password can come from PGPASSWORD.`,
  };
}

function databaseAway({ message, hint }: FleetUnavailable): Diagnostic {
  return {
    code: "fleet_database_away",
    severity: "error",
    summary: "The database of the fleet is not available",
    detail: message,
    hint: hint ?? "Check that the server runs and can be reached, then run the command again.",
  };
}

function fleetMissing({ message }: FleetMissing): Diagnostic {
  return {
    code: "fleet_missing",
    severity: "error",
    summary: "No fleet in this database",
    detail: message,
    hint: `The first controller creates them: outreach controller. If this is the wrong database, correct --database or ${DATABASE_VARIABLE}.`,
  };
}

function accessDenied(
  { shown, user }: PgServer,
  { code, message }: { readonly code: string; readonly message: string },
): Diagnostic | null {
  if (code !== DENIED) return null;
  return {
    code: "fleet_access_denied",
    severity: "error",
    summary: "Access to the fleet was denied",
    detail: `${shown} refused the user ${user}: ${printable(message)}.`,
    hint: `Connect as the user of the controllers. Or give this one its rights, as an administrator: GRANT CONTROLLERS_USER TO ${identifier(user)};`,
  };
}
