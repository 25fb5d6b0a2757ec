/** The roles of users, and their permissions. The object checks them, whatever a page shows. */
import { currentCaller, RpcError } from 'lumenize-rpc/server';
import type { Caller } from './board-caller.ts';

/** Each role has the rights of the roles before it. */
export const ROLES = ['viewer', 'editor', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export type Member = { user: string; role: Role };

export const MEMBERS = 'CREATE TABLE members (user TEXT PRIMARY KEY, role TEXT NOT NULL) STRICT';

/**
 * Call it before the first `await` of a method.
 *
 * @returns the caller, if it has this role or a role with more rights
 * @throws RpcError `FORBIDDEN` for any other caller
 */
export function requireRole(role: Role, sql: SqlStorage): Member {
  const caller = currentCaller<Caller>();
  if (!caller || !('user' in caller)) throw new RpcError('FORBIDDEN', 'Only members may do this');
  const [member = { user: caller.user, role: 'viewer' }] = sql
    .exec<Member>('SELECT * FROM members WHERE user = ?', caller.user)
    .toArray();
  if (ROLES.indexOf(member.role) >= ROLES.indexOf(role)) return member;
  throw new RpcError('FORBIDDEN', `${member.user} is ${member.role} here, and not ${role}`);
}

/** Adds a new user: as the owner of a board without members, or otherwise as a viewer. */
export function join(user: string, sql: SqlStorage): void {
  sql.exec(
    `INSERT OR IGNORE INTO members
     SELECT ?, iif(EXISTS (SELECT * FROM members), 'viewer', 'owner')`,
    user,
  );
}

export function setRole(user: string, role: Role, sql: SqlStorage): void {
  sql.exec('UPDATE members SET role = ? WHERE user = ?', role, user);
  if (sql.exec(`SELECT * FROM members WHERE role = 'owner'`).toArray().length === 0)
    throw new Error('A board needs an owner: give another member that role first');
}
