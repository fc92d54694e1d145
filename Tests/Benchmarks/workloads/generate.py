# SPDX-License-Identifier: MIT
"""Makes the input of two workloads in the working directory: script.sql for sqlite3, repository.git for git.

The same on every machine: seeded, with fixed dates.
"""
import os
import random
import subprocess

STATEMENTS = 60000
COMMITS, FILES, LINES = 4000, 60, 200


def write_sql(path):
    """Many small statements, each parsed and prepared, and a few large ones."""
    r = random.Random(7)
    with open(path, 'w', encoding='utf-8') as file:
        file.write('PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;\n'
                   'CREATE TABLE u(id INTEGER PRIMARY KEY,name TEXT,mail TEXT,age INT,score REAL);\n'
                   'CREATE TABLE o(id INTEGER PRIMARY KEY,uid INT,what TEXT,price REAL);\nBEGIN;\n')
        for i in range(STATEMENTS):
            file.write(f"INSERT INTO u(name,mail,age,score) VALUES('user name {i} {r.randrange(10**9)}',"
                       f"'user{i}@example.test',{r.randrange(90)},{r.random() * 100:.4f});\n")
            if i % 3 == 0:
                file.write(f"INSERT INTO o(uid,what,price) SELECT {i},'order for '||name,score*2 FROM u "
                           f'WHERE id={max(1, i - 5)};\n')
            if i % 5 == 0:
                file.write('SELECT u.name,count(*),group_concat(o.what) FROM u LEFT JOIN o ON o.id=u.id '
                           f'WHERE u.id BETWEEN {max(1, i - 4)} AND {i} GROUP BY u.age ORDER BY 2 DESC LIMIT 2;\n')
            if i % 7 == 0:
                file.write(f"UPDATE u SET mail=replace(mail,'example','sample') WHERE id={i};\n")
        file.write('COMMIT;\nCREATE INDEX ua ON u(age,name);\nCREATE INDEX oi ON o(uid);\n'
                   'SELECT age,count(*),avg(score),group_concat(substr(name,1,12)) FROM u GROUP BY age ORDER BY 3;\n'
                   'SELECT u.name,sum(o.price) FROM u JOIN o ON o.uid=u.id GROUP BY u.id HAVING sum(o.price)>50 '
                   'ORDER BY 2 DESC LIMIT 100;\nDELETE FROM u WHERE id%3=0;\nVACUUM;\n')


def write_repository(path):
    """A history of small changes, made by fast-import."""
    r = random.Random(7)
    subprocess.run(['git', 'init', '-q', '--bare', '-b', 'main', path], check=True)
    files = [[f'line {j} of file {k} {r.randrange(10**8)}\n' for j in range(LINES)] for k in range(FILES)]
    with subprocess.Popen(['git', '-C', path, 'fast-import', '--quiet'], stdin=subprocess.PIPE) as importer:
        for commit in range(COMMITS):
            changed = r.sample(range(FILES), 3)
            for k in changed:
                for _ in range(4):
                    files[k][r.randrange(len(files[k]))] = f'changed at {commit} {r.randrange(10**9)}\n'
                if r.random() < .3:
                    files[k].insert(r.randrange(len(files[k])), f'new at {commit}\n')
            message = f'commit {commit}: change files {changed}\n'.encode()
            importer.stdin.write(b'commit refs/heads/main\ncommitter A U Thor <a@example.test> %d +0000\ndata %d\n%s'
                                 % (1600000000 + commit * 60, len(message), message))
            for k in changed if commit else range(FILES):
                text = ''.join(files[k]).encode()
                importer.stdin.write(b'M 100644 inline src/f%d.txt\ndata %d\n%s\n' % (k, len(text), text))
    subprocess.run(['git', '-C', path, 'gc', '-q'], check=True)


if __name__ == '__main__':
    if not os.path.exists('script.sql'):
        write_sql('script.sql')
    if not os.path.exists('repository.git'):
        write_repository('repository.git')
