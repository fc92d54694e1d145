# SPDX-License-Identifier: MIT
# git: commits, branches, merge, log -p, gc, clone, fsck. Short.
. "$(dirname "$0")/common.sh"
need git
export GIT_AUTHOR_DATE='2024-01-01T00:00:00Z' GIT_COMMITTER_DATE='2024-01-01T00:00:00Z' HOME=$work GIT_CONFIG_NOSYSTEM=1
git() { recorded git -c user.name=a -c user.email=a@example.test -c init.defaultBranch=main "$@"; }
git init -q one
cd one
for i in 1 2 3 4 5; do
    for f in a b c; do seq $((i * 100)) $((i * 300)) > "$f$i.txt"; done
    git add -A && git commit -q -m "change $i"
done
git checkout -q -b side HEAD~2
echo side > side.txt && git add -A && git commit -q -m side
git checkout -q main && git merge -q -m merged side
git log -p --stat | sha1sum
git gc -q && git fsck --strict
git clone -q . ../two && git -C ../two rev-list --count HEAD
git grep -c 299 | sort
