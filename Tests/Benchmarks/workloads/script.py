# SPDX-License-Identifier: MIT
# usage: w6_py.py [rounds=60]
import json,re,sys,random
random.seed(1); R=int(sys.argv[1]) if len(sys.argv)>1 else 60
doc={"items":[{"id":i,"name":"item %d"%i,"tags":["t%d"%(i%7),"u%d"%(i%11)],"price":i*1.25,"nested":{"a":[i,i+1],"b":None}} for i in range(2000)]}
rx=re.compile(r"(\w+)\s(\d+)"); keep=[]; tot=0
class Node:
    __slots__=("l","r","v")
    def __init__(s,v): s.v=v; s.l=s.r=None
def ins(n,v):
    while True:
        if v<n.v:
            if n.l is None: n.l=Node(v); return
            n=n.l
        else:
            if n.r is None: n.r=Node(v); return
            n=n.r
for k in range(R):
    s=json.dumps(doc); d=json.loads(s); tot+=len(d["items"])
    m=rx.findall(s[:60000]); tot+=len(m); c={}
    for a,b in m: c.setdefault(a,[]).append(int(b))
    root=Node(random.random())
    for i in range(2000): ins(root,random.random())
    x=sorted(("key-%d-%d"%(i*7919%1000,k) for i in range(3000))); tot+=len(",".join(x).split(","))
    keep.append(d["items"][k%2000])
    if len(keep)>20: keep.pop(0)
print("w6py",tot)
