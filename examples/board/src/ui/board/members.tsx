/** The members and their roles, which an owner changes. */
import type { Member, Role } from '../../board-roles.ts';
import { Problem, useCall } from '../status.tsx';
import type { BoardClient } from './board-client.ts';

const ROLES = ['viewer', 'editor', 'owner'] satisfies Role[];

interface Props {
  board: BoardClient;
  members: Member[];
  mayChange: boolean;
}

export function Members({ board, members, mayChange }: Props) {
  const [problem, call] = useCall();
  return (
    <div>
      <h3>Members</h3>
      <ul>
        {members.map(({ user, role }) => (
          <li key={user} className="line">
            {user}
            <select
              aria-label={`Role of ${user}`}
              disabled={!mayChange}
              value={role}
              onChange={({ target }) => call(() => board.setRole(user, target.value as Role))}
            >
              {ROLES.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </li>
        ))}
      </ul>
      <Problem of={[problem]} />
    </div>
  );
}
